import { data } from "react-router";

import { SERVICE_PRICES, SERVICES } from "../../contract/catalogue.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { handleSimpleQuotePost } from "../quotes/handle-simple-quote.ts";
import { getChallenge } from "../quotes/challenge-source.ts";
import { CallToAction } from "../site/call-to-action.tsx";
import { Faq } from "../site/faq.tsx";
import NotFoundPage, { meta as notFoundMeta } from "../site/not-found-page.tsx";
import { breadcrumbs, getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { sharePicture } from "../site/share-cards.ts";
import { listReviewsFor } from "../site/pick-reviews.ts";
import { Reviews } from "../site/reviews.tsx";
import { Section } from "../site/section.tsx";
import { loadJobPrices } from "../site/site-claims.ts";
import { SERVICE_LINKS } from "../site/service-links.ts";
import type { Route } from "./+types/service-page.ts";
import { QuoteHero } from "./quote-hero.tsx";
import { ServiceCards } from "./service-cards.tsx";
import { PaidPrices, ServicePreparation, ServicePrices, ServiceScope } from "./service-details.tsx";
import { ShownJobs } from "./shown-jobs.tsx";
import { SERVICE_QUESTIONS } from "./service-questions.ts";
import { SERVICE_DESCRIPTIONS, SERVICE_TEXTS } from "./service-texts.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { getMapsSource } from "../addresses/maps-source.ts";

function serviceAt(slug: string) {
  return SERVICE_LINKS.find(({ href }) => href === `/service/${slug}`) ?? null;
}

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const service = serviceAt(params.service)?.id ?? null;
  const { contactPhone } = context.get(requestContext);
  const { profiles } = context.get(apiContext).api;
  const [prices, jobs] = service
    ? await Promise.all([
        loadJobPrices(context, { service }),
        unwrap(profiles.jobs[":service"].$get({ param: { service } })).catch(() => []),
      ])
    : [[], []];
  return data(
    {
      service,
      prices,
      jobs,
      contactPhone,
      maps: getMapsSource(context),
      canonical: getCanonicalUrl(request),
      ...(service && getChallenge(context)),
    },
    { status: service ? 200 : 404 },
  );
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const service = serviceAt(params.service);
  if (!service) throw new Response("Not found", { status: 404 });
  return handleSimpleQuotePost({ request, context }, service.id);
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData?.service) return notFoundMeta();
  const { service, canonical } = loaderData;
  const { headline, text } = SERVICE_TEXTS[service];
  const from = SERVICE_PRICES[service].fromDollars;
  return [
    ...pageMeta({
      title: `${headline} in NSW from ${formatFromPrice(from)}`,
      description: `${SERVICE_DESCRIPTIONS[service]} From ${formatFromPrice(from)}.`,
      canonical,
      picture: sharePicture(service),
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
        serviceType: SERVICES[service],
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

export default function ServicePage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { service, contactPhone, maps, prices, jobs } = loaderData;
  if (!service) return <NotFoundPage />;
  const { headline, text } = SERVICE_TEXTS[service];
  const { fromDollars } = SERVICE_PRICES[service];
  return (
    <>
      <QuoteHero
        title={headline}
        text={text}
        phone={contactPhone}
        maps={maps}
        challenge={loaderData.challenge}
        service={service}
        action={`/service/${params.service}`}
        answered={actionData}
        above={<p className="price-plate">{`from ${formatFromPrice(fromDollars)}`}</p>}
      />
      <ServicePrices service={service} />
      <PaidPrices prices={prices} />
      <ServiceScope service={service} />
      <ShownJobs service={service} jobs={jobs} />
      <ServicePreparation service={service} />
      <Faq title={`About ${headline.toLowerCase()}`} questions={SERVICE_QUESTIONS[service]} />
      <Section
        id="services"
        title="Our services"
        aside={<a href="/services">See all services</a>}
        variant="sunken"
      >
        <ServiceCards />
      </Section>
      <Reviews title="What customers say" reviews={listReviewsFor(service)} />
      <CallToAction
        title="Ready when you are"
        text="Tell us about the job. One provider calls you with a free quote."
        phone={contactPhone}
      />
    </>
  );
}
