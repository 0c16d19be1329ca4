import { expect, test } from "vitest";

import type { SuburbDetail } from "../../contract/suburbs.ts";
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

const thing = (suburbData(suburb, PAGE, "1800 975 711")[0] as Record<string, object>)["script:ld+json"];

test("a suburb's page describes a service, without a rating", () => {
  expect(thing).toMatchObject({
    "@type": "Service",
    areaServed: {
      "@type": "Place",
      name: "Dee Why",
      geo: { "@type": "GeoCoordinates", latitude: -33.75, longitude: 151.28 },
    },
    provider: { "@type": "Organization", name: "Naturestrip", url: "https://naturestrip.example/" },
  });
  expect(JSON.stringify(thing)).not.toMatch(/rating|review|LocalBusiness/i);
});

test("the service has the specification's hours and price range", () => {
  expect(thing).toMatchObject({
    hoursAvailable: [
      { opens: "08:00", closes: "17:00", dayOfWeek: expect.arrayContaining(["Monday", "Friday"]) },
      { opens: "08:00", closes: "14:00", dayOfWeek: ["Saturday"] },
    ],
    offers: { priceSpecification: { minPrice: 49, maxPrice: 89 } },
  });
});
