import { data } from "react-router";

import { SERVICES } from "../../contract/catalogue.ts";
import { Island } from "../lib/island.tsx";
import { requestContext } from "../lib/server-context.ts";
import { answerSimpleQuote } from "../quotes/answer-simple-quote.ts";
import { BLANK_FORM } from "../quotes/post-form.ts";
import SimpleQuoteForm from "../quotes/simple-quote-form.island.tsx";
import { claim } from "../site/claims.ts";
import NotFoundPage, { meta as notFoundMeta } from "../site/not-found-page.tsx";
import { breadcrumbs, canonicalOf, pageMeta } from "../site/page-meta.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { Reviews } from "../site/reviews.tsx";
import { SERVICE_LINKS } from "../site/service-links.ts";
import { StreetScene } from "../site/street-scene.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { Route } from "./+types/service-page.ts";
import { ServiceCards } from "./service-cards.tsx";
import { SERVICE_WORDS } from "./service-words.ts";

function serviceAt(slug: string) {
  return SERVICE_LINKS.find(({ href }) => href === `/service/${slug}`) ?? null;
}

export function loader({ params, request, context }: Route.LoaderArgs) {
  const service = serviceAt(params.service)?.id ?? null;
  const { contactPhone, mapsKey } = context.get(requestContext);
  return data(
    { service, contactPhone, mapsKey, canonical: canonicalOf(request) },
    { status: service ? 200 : 404 },
  );
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const service = serviceAt(params.service);
  if (!service) throw new Response("Not found", { status: 404 });
  return answerSimpleQuote({ request, context }, service.id);
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData?.service) return notFoundMeta();
  const { service, canonical } = loaderData;
  const { headline, text } = SERVICE_WORDS[service];
  const from = SERVICES[service].fromDollars;
  return [
    ...pageMeta({
      title: `${headline} in NSW from $${from}`,
      description: `${text} Ask once and get a free quote from a local provider, from $${from}.`,
      canonical,
    }),
    breadcrumbs(canonical, [
      ["Services", "/services"],
      [headline, new URL(canonical).pathname],
    ]),
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Service",
        name: headline,
        serviceType: SERVICES[service].name,
        description: text,
        url: canonical,
        areaServed: { "@type": "State", name: "New South Wales" },
        provider: { "@type": "Organization", name: "Naturestrip", url: new URL("/", canonical).href },
        offers: {
          "@type": "Offer",
          priceCurrency: "AUD",
          priceSpecification: { "@type": "PriceSpecification", minPrice: from, priceCurrency: "AUD" },
        },
      },
    },
  ];
}

const BADGES: { icon: IconName; text: string }[] = [
  { icon: "badge", text: claim("insured") ?? "Independent local providers" },
  { icon: "clock", text: claim("sameDay") ?? "One form, one call" },
  { icon: "star", text: claim("guarantee") ?? "You decide on the quote" },
  { icon: "coin", text: claim("noHiddenFees") ?? "Quoted before work starts" },
];

export default function ServicePage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { service, contactPhone, mapsKey } = loaderData;
  if (!service) return <NotFoundPage />;
  const { headline, text, includes } = SERVICE_WORDS[service];
  const { fromDollars, duration } = SERVICES[service];
  return (
    <>
      <section className="hero hero--form">
        <div className="wrap hero__row">
          <div className="hero__words">
            <p className="price-plate">from ${fromDollars}</p>
            <h1>{headline}</h1>
            <p className="lead">{text}</p>
            <p className="actions">
              <PhoneLink phone={contactPhone} className="button button--quiet button--large" />
            </p>
            <ul className="badges">
              {BADGES.map((badge) => (
                <li key={badge.text}>
                  <Icon name={badge.icon} />
                  {badge.text}
                </li>
              ))}
            </ul>
          </div>
          <div className="form-card">
            <h2>Get a free quote</h2>
            <Island
              file="quotes/simple-quote-form.island.tsx"
              component={SimpleQuoteForm}
              when="touch"
              props={{
                ...(actionData ?? BLANK_FORM),
                service,
                action: `/service/${params.service}`,
                mapsKey,
              }}
            />
          </div>
          <StreetScene />
        </div>
        <div className="street" aria-hidden="true" />
      </section>
      <section className="section" aria-labelledby="included">
        <div className="wrap">
          <div className="guarantee">
            <div>
              <h2 id="included">What it includes</h2>
              <p>A visit usually takes {duration}. Your provider tells you the price before they start.</p>
            </div>
            <ul className="ticks">
              {includes.map((item) => (
                <li key={item}>
                  <Icon name="check" />
                  {item}
                </li>
              ))}
            </ul>
          </div>
        </div>
      </section>
      <section className="section section--sunken" aria-labelledby="services">
        <div className="wrap">
          <div className="section__head">
            <h2 id="services">Our services</h2>
            <p>
              <a href="/services">See all services</a>
            </p>
          </div>
          <ServiceCards />
        </div>
      </section>
      <Reviews title="What customers say" />
    </>
  );
}
