import { serviceName } from "../../contract/catalogue.ts";
import { photoUrl } from "../../contract/photos.ts";
import type { ProviderProfile } from "../../contract/profiles.ts";
import { sydneyDay } from "../../contract/sydney-time.ts";
import { breadcrumbs } from "../site/page-meta.ts";

/** Returns the structured data of a business's page. It says only what the page shows about that business. */
export function profileData(profile: ProviderProfile, canonical: string) {
  const { name, suburb, services, councils, logo, work } = profile;
  const { mean, shown, reviews } = profile.reviews;
  const picture = work[0] ?? logo;
  const business = {
    "@type": "LocalBusiness",
    "@id": canonical,
    name,
    url: canonical,
    ...(picture && { image: new URL(photoUrl(picture.id, "large"), canonical).href }),
    ...(suburb && {
      address: {
        "@type": "PostalAddress",
        addressLocality: suburb.name,
        addressRegion: "NSW",
        postalCode: suburb.postcode,
        addressCountry: "AU",
      },
    }),
    areaServed: councils.map((council) => ({ "@type": "AdministrativeArea", name: council })),
    makesOffer: services.map((id) => ({
      "@type": "Offer",
      itemOffered: { "@type": "Service", name: serviceName(id) },
    })),
    // Only customers' reviews of this business, never ours.
    ...(mean !== null && {
      aggregateRating: {
        "@type": "AggregateRating",
        ratingValue: Number(mean.toFixed(1)),
        reviewCount: shown,
        bestRating: 5,
        worstRating: 1,
      },
      review: reviews.map(({ stars, words, name: customer, at }) => ({
        "@type": "Review",
        author: { "@type": "Person", name: customer ?? "A customer" },
        // An erased customer's review keeps only its month.
        datePublished: sydneyDay(at).slice(0, customer === null ? 7 : 10),
        reviewRating: { "@type": "Rating", ratingValue: stars, bestRating: 5, worstRating: 1 },
        ...(words && { reviewBody: words }),
      })),
    }),
  };
  return [
    { "script:ld+json": { "@context": "https://schema.org", ...business } },
    breadcrumbs(canonical, [[name, new URL(canonical).pathname]]),
  ];
}
