import { HOME_FROM_DOLLARS } from "../../contract/catalogue.ts";
import type { LegalEntity } from "../../contract/legal-entity.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { SuburbBlades } from "../suburbs/suburb-blades.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { Route } from "./+types/home-page.ts";
import { CallToAction } from "../site/call-to-action.tsx";
import { type Claims, isAsSpecified } from "../site/claims.ts";
import { Hero } from "./hero.tsx";
import { HowItWorks } from "../site/how-it-works.tsx";
import { Island } from "../documents/island.tsx";
import LocationSearch from "./location-search.island.tsx";
import { getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { sharePicture } from "../site/share-cards.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { Benefits, type Point } from "../site/points.tsx";
import { Reviews } from "../site/reviews.tsx";
import { Section } from "../site/section.tsx";
import { findClaims, type Rating, useClaims } from "../site/site-claims.ts";
import { StickyBar } from "./sticky-bar.tsx";
import { WebsiteBuilder } from "./website-builder.tsx";
import { Guarantee, WhyChooseUs } from "../site/why-choose-us.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { getMapsSource } from "../addresses/maps-source.ts";

const POPULAR = 12;

export async function loader({ request, context }: Route.LoaderArgs) {
  const suburbs = await unwrap(context.get(apiContext).api.suburbs.$get({ query: { limit: POPULAR } }));
  const { contactPhone, legalEntity, websiteBuilderUrl } = context.get(requestContext);
  return {
    popular: suburbs.map(({ slug, name, postcode }) => ({ slug, name, postcode })),
    contactPhone,
    legalEntity,
    maps: getMapsSource(context),
    websiteBuilderUrl,
    canonical: getCanonicalUrl(request),
  };
}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [
    ...pageMeta({
      title: "Lawn Mowing and Garden Services in NSW",
      description:
        "Tell us once what your lawn or garden needs. One local provider in New South Wales calls you with a free quote, from $30 for a mow.",
      canonical: loaderData?.canonical,
    }),
    { name: "geo.region", content: "AU-NSW" },
    { name: "geo.placename", content: "Sydney" },
    { name: "geo.position", content: "-33.8688;151.2093" },
    { name: "ICBM", content: "-33.8688, 151.2093" },
    ...(loaderData ? [homeData(loaderData, findClaims(matches).rating)] : []),
  ];
}

/** Returns an address such as "PO Box 1, Ryde NSW 2112" as structured data. A postal box is no street address. */
function postalAddress(address: string) {
  const [, box, street, addressLocality, postalCode] =
    /^(?:G?PO Box ([^,]+)|(.+)), ([^,]+) NSW (\d{4})$/i.exec(address) ?? [];
  return {
    "@type": "PostalAddress",
    ...(box ? { postOfficeBoxNumber: box } : { streetAddress: street ?? address }),
    ...(postalCode && { addressLocality, postalCode }),
    addressRegion: "NSW",
    addressCountry: "AU",
  };
}

/** Returns the structured data. It has a rating only if the hero says the same one. */
function homeData(
  {
    canonical,
    contactPhone,
    legalEntity,
  }: { canonical: string; contactPhone: string; legalEntity: LegalEntity },
  rating: Rating | null,
) {
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "LocalBusiness",
      name: "Naturestrip",
      legalName: legalEntity.name,
      taxID: legalEntity.abn,
      url: canonical,
      image: new URL(sharePicture("home").path, canonical).href,
      telephone: contactPhone,
      priceRange: "$30-$200",
      address: postalAddress(legalEntity.address),
      areaServed: { "@type": "State", name: "New South Wales" },
      openingHours: ["Mo-Fr 08:00-17:00", "Sa 08:00-16:00"],
      ...(rating && { aggregateRating: { "@type": "AggregateRating", bestRating: 5, ...rating } }),
    },
  };
}

function listBenefits(claims: Claims): Point[] {
  return [
    {
      icon: "clock",
      title: claims.highlights ? "Quick response" : "Quote by phone",
      text: claims.sameDay ?? "A provider calls you with a quote",
    },
    {
      icon: "badge",
      title: claims.highlights ? "Qualified providers" : "Local providers",
      text: claims.insured ?? "Independent local businesses",
    },
    { icon: "calendar", title: "Flexible scheduling", text: claims.sevenDays ?? "You agree on the day" },
    {
      icon: "coin",
      title: claims.highlights ? "Fair pricing" : "Pricing",
      text: isAsSpecified(claims, "fairPricing")
        ? "From $30"
        : (claims.fairPricing ?? "A quote before work starts"),
    },
  ];
}

const CARDS = [
  {
    icon: "mower",
    name: "Lawn Mowing",
    href: "/service/lawn-mowing",
    from: HOME_FROM_DOLLARS.lawn_mowing,
    text: "Mowed, edged and tidied. One-off or fortnightly.",
  },
  {
    icon: "hedge",
    name: "Hedge Trimming",
    href: "/service/hedge-trimming",
    from: HOME_FROM_DOLLARS.hedge_trimming,
    text: "Hedges and small trees back in shape, clippings taken away.",
  },
  {
    icon: "leaf",
    name: "Garden Maintenance",
    // It has no page of its own.
    href: "/get-quote?service=garden_maintenance",
    from: HOME_FROM_DOLLARS.garden_maintenance,
    text: "Weeding, mulching and pruning, so your weekends stay yours.",
  },
] as const satisfies readonly { icon: IconName; name: string; href: string; from: number; text: string }[];

function Services({ phone }: { phone: string }) {
  return (
    <Section id="services" title="What needs doing?" aside={<a href="/services">See all services</a>}>
      <ul className="grid grid--3">
        {CARDS.map((card) => (
          <li key={card.name} className="card">
            <Icon name={card.icon} size={36} />
            <h3>
              <a href={card.href}>{card.name}</a>
            </h3>
            <p>{card.text}</p>
            <div className="card__foot">
              <p className="card__price">
                From <strong>{formatFromPrice(card.from)}</strong>
              </p>
              <PhoneLink phone={phone} className="button button--quiet">
                Call Now
              </PhoneLink>
            </div>
          </li>
        ))}
      </ul>
      <p className="note">The final price depends on the size of your property.</p>
    </Section>
  );
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { popular, contactPhone, maps, websiteBuilderUrl } = loaderData;
  const claims = useClaims();
  return (
    <>
      <Hero
        place="NSW"
        phone={contactPhone}
        search={
          <Island
            file="home/location-search.island.tsx"
            component={LocationSearch}
            when="touch"
            props={{ maps }}
          />
        }
      />
      <Benefits points={listBenefits(claims)} />
      <Services phone={contactPhone} />
      <HowItWorks />
      <Reviews title="What customers say" />
      <Guarantee />
      <WhyChooseUs />
      <CallToAction
        title="Get your weekends back"
        text={`${claims.quickQuote ?? "A short quote request"}, free and with no obligation. Or call us Monday to Friday 8:00 AM-5:00 PM, Saturday 8:00 AM-4:00 PM, Sunday by appointment.`}
        phone={contactPhone}
      />
      <Section id="popular" title="Popular Locations" aside={<a href="/locations">View All Locations</a>}>
        <SuburbBlades suburbs={popular} />
      </Section>
      {websiteBuilderUrl && <WebsiteBuilder href={websiteBuilderUrl} />}
      <StickyBar phone={contactPhone} />
    </>
  );
}
