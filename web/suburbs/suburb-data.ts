import type { SuburbDetail } from "../../contract/suburbs.ts";
import { CLAIMS } from "../site/claims.ts";
import { breadcrumbs } from "../site/page-meta.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { questions } from "./suburb-faq.tsx";

const RATING = { ratingValue: 4.8, reviewCount: 150 };
const HIGHEST_PRICE_DOLLARS = 89;

/** A suburb's page as structured data: the local business, the trail to it and its questions. */
export function suburbData(suburb: SuburbDetail, canonical: string, phone: string) {
  const { name, postcode, state, priceFrom, latitude, longitude } = suburb;
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "LocalBusiness",
        name: `Naturestrip ${name}`,
        url: canonical,
        image: new URL(`/og/${suburb.slug}.png`, canonical).href,
        telephone: phone,
        priceRange: `${formatFromPrice(priceFrom)}-${formatFromPrice(HIGHEST_PRICE_DOLLARS)}`,
        address: {
          "@type": "PostalAddress",
          addressLocality: name,
          addressRegion: state,
          postalCode: postcode,
          addressCountry: "AU",
        },
        geo: { "@type": "GeoCoordinates", latitude, longitude },
        openingHours: ["Mo-Fr 08:00-17:00", "Sa 08:00-14:00"],
        ...(CLAIMS.suburbRating.shown && {
          aggregateRating: { "@type": "AggregateRating", bestRating: 5, ...RATING },
        }),
      },
    },
    breadcrumbs(canonical, [
      ["Locations", "/locations"],
      [name, new URL(canonical).pathname],
    ]),
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "FAQPage",
        mainEntity: questions(suburb).map(({ question, answer }) => ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: answer },
        })),
      },
    },
  ];
}
