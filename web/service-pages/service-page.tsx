import { data } from "react-router";

import { SERVICES } from "../../contract/catalogue.ts";
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
import { SERVICE_LIST, serviceOf } from "../services/services.ts";
import type { Route } from "./+types/service-page.ts";
import { QuoteHero } from "./quote-hero.tsx";
import { ServiceCards } from "./service-cards.tsx";
import { PaidPrices, ServicePreparation, ServicePrices, ServiceScope } from "./service-details.tsx";
import { ShownJobs } from "./shown-jobs.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { getMapsSource } from "../addresses/maps-source.ts";

function serviceAt(slug: string) {
  return SERVICE_LIST.find(({ href }) => href === `/service/${slug}`) ?? null;
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
  const { name, text, description, fromDollars } = serviceOf(service);
  return [
    ...pageMeta({
      title: `${name} in NSW from ${formatFromPrice(fromDollars)}`,
      description: `${description} From ${formatFromPrice(fromDollars)}.`,
      canonical,
      picture: sharePicture(service),
    }),
    breadcrumbs(canonical, [
      ["Services", "/services"],
      [name, new URL(canonical).pathname],
    ]),
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Service",
        name,
        serviceType: SERVICES[service],
        description: text,
        url: canonical,
        areaServed: { "@type": "State", name: "New South Wales" },
        provider: { "@type": "Organization", name: "Naturestrip", url: new URL("/", canonical).href },
        offers: {
          "@type": "Offer",
          priceCurrency: "AUD",
          priceSpecification: { "@type": "PriceSpecification", minPrice: fromDollars, priceCurrency: "AUD" },
        },
      },
    },
  ];
}

export default function ServicePage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { service, contactPhone, maps, prices, jobs } = loaderData;
  if (!service) return <NotFoundPage />;
  const { name, text, fromDollars, questions } = serviceOf(service);
  return (
    <>
      <QuoteHero
        title={name}
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
      <Faq title={`About ${name.toLowerCase()}`} questions={questions} />
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
