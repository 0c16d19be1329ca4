import type { SuburbDetail } from "../../contract/suburbs.ts";
import { breadcrumbs } from "../site/page-meta.ts";

const HIGHEST_PRICE_DOLLARS = 89;
const OPENING_HOURS = [
  { days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"], closes: "17:00" },
  { days: ["Saturday"], closes: "14:00" },
];

/** Returns a page title of at most 60 characters, even for the longest name. */
export function suburbTitle({ name, postcode }: Pick<SuburbDetail, "name" | "postcode">): string {
  return `Lawn Mowing and Garden Care, ${name} ${postcode}`;
}

function placeOf({ name, state, postcode, latitude, longitude }: SuburbDetail) {
  return {
    address: {
      "@type": "PostalAddress",
      addressLocality: name,
      addressRegion: state,
      postalCode: postcode,
      addressCountry: "AU",
    },
    geo: { "@type": "GeoCoordinates", latitude, longitude },
  };
}

/**
 * Returns the service with its hours, prices and area. One organisation serves all suburbs: a business with an address
 * in each of them would be a made-up branch.
 * It has no rating: search engines show none for a service. The page shows the specification's rating in words.
 */
function buildService(suburb: SuburbDetail, canonical: string, phone: string) {
  const { name, priceFrom } = suburb;
  return {
    "@type": "Service",
    name: `Lawn and garden care in ${name}`,
    serviceType: "Lawn mowing and garden maintenance",
    description: `Lawn mowing, hedge trimming and garden maintenance in ${name} by a local provider.`,
    url: canonical,
    image: new URL(`/og/${suburb.slug}.png`, canonical).href,
    areaServed: { "@type": "Place", name, ...placeOf(suburb) },
    provider: {
      "@type": "Organization",
      name: "Naturestrip",
      url: new URL("/", canonical).href,
      telephone: phone,
    },
    hoursAvailable: OPENING_HOURS.map(({ days, closes }) => ({
      "@type": "OpeningHoursSpecification",
      dayOfWeek: days,
      opens: "08:00",
      closes,
    })),
    offers: {
      "@type": "Offer",
      priceCurrency: "AUD",
      priceSpecification: {
        "@type": "PriceSpecification",
        minPrice: priceFrom,
        maxPrice: Math.max(priceFrom, HIGHEST_PRICE_DOLLARS),
        priceCurrency: "AUD",
      },
    },
  };
}

/** Returns a suburb's structured data: the service and the breadcrumbs. */
export function suburbData(suburb: SuburbDetail, canonical: string, phone: string) {
  return [
    {
      "script:ld+json": { "@context": "https://schema.org", ...buildService(suburb, canonical, phone) },
    },
    breadcrumbs(canonical, [
      ["Locations", "/locations"],
      [suburb.name, new URL(canonical).pathname],
    ]),
  ];
}
