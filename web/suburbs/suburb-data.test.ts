import { expect, test } from "vitest";

import type { SuburbDetail } from "../../contract/suburbs.ts";
import { resolveClaims } from "../site/claims.ts";
import { suburbData } from "./suburb-data.ts";

const suburb = {
  slug: "dee-why",
  name: "Dee Why",
  postcode: "2099",
  state: "NSW",
  council: "Northern Beaches Council",
  priceFrom: 49,
  latitude: -33.75,
  longitude: 151.28,
} as SuburbDetail;
const PAGE = "https://naturestrip.example/location/dee-why";

const getMainItem = (isRated: boolean) =>
  (
    suburbData(
      { suburb, nearby: [], year: 2026, claims: resolveClaims({}, isRated) },
      PAGE,
      "1800 975 711",
    )[0] as Record<string, object>
  )["script:ld+json"];

test("without a published rating, a suburb's page describes a service", () => {
  const thing = getMainItem(false);
  expect(thing).toMatchObject({
    "@type": "Service",
    areaServed: { "@type": "Place", name: "Dee Why" },
    provider: { "@type": "Organization", name: "Naturestrip", url: "https://naturestrip.example/" },
  });
  expect(JSON.stringify(thing)).not.toMatch(/rating|review|LocalBusiness/i);
});

test("with a published rating, a suburb's page describes a rated business", () => {
  expect(getMainItem(true)).toMatchObject({
    "@type": "LocalBusiness",
    aggregateRating: { ratingValue: 4.8, reviewCount: 150 },
  });
});
