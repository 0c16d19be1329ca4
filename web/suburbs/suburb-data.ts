import type { SuburbDetail } from "../../contract/suburbs.ts";
import { SUBURB_RATING } from "../site/claims.ts";
import { faqData } from "../site/faq.tsx";
import { breadcrumbs } from "../site/page-meta.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { questions } from "./suburb-faq.tsx";

const HIGHEST_PRICE_DOLLARS = 89;

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

/** Returns the suburb's business with its rating, as the specification demands. */
function ratedBusiness(suburb: SuburbDetail, canonical: string, phone: string) {
  return {
    "@type": "LocalBusiness",
    name: `Naturestrip ${suburb.name}`,
    url: canonical,
    image: new URL(`/og/${suburb.slug}.png`, canonical).href,
    telephone: phone,
    priceRange: `${formatFromPrice(suburb.priceFrom)}-${formatFromPrice(HIGHEST_PRICE_DOLLARS)}`,
    ...placeOf(suburb),
    openingHours: ["Mo-Fr 08:00-17:00", "Sa 08:00-14:00"],
    aggregateRating: { "@type": "AggregateRating", bestRating: 5, ...SUBURB_RATING },
  };
}

/** Returns the service without a business or a rating: one organisation serves all suburbs. */
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
    offers: {
      "@type": "Offer",
      priceCurrency: "AUD",
      priceSpecification: { "@type": "PriceSpecification", minPrice: priceFrom, priceCurrency: "AUD" },
    },
  };
}

/**
 * Returns a suburb's structured data: the service, the breadcrumbs and the questions.
 * @param known the suburb, its neighbours, the year of its calendar, and the claims. Without the claim `suburbRating` the
 *   data describes no such business: search engines call such a rating self-serving, and the law calls it a testimonial
 */
export function suburbData(known: Parameters<typeof questions>[0], canonical: string, phone: string) {
  const { suburb, claims } = known;
  const { name } = suburb;
  const main = claims.suburbRating
    ? ratedBusiness(suburb, canonical, phone)
    : buildService(suburb, canonical, phone);
  return [
    { "script:ld+json": { "@context": "https://schema.org", ...main } },
    breadcrumbs(canonical, [
      ["Locations", "/locations"],
      [name, new URL(canonical).pathname],
    ]),
    // The first questions are about this suburb. The page shows all of them.
    faqData(questions(known).slice(0, 3)),
  ];
}
