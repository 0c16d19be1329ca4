import { data, redirect } from "react-router";

import { handleBookingPost } from "../bookings/handle-booking.ts";
import BookingForm from "../bookings/booking-form.island.tsx";
import type { DocumentHandle } from "../documents/document-handle.ts";
import { BLANK_FORM } from "../documents/form-state.ts";
import { Island } from "../documents/island.tsx";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { getChallenge } from "../quotes/challenge-source.ts";
import { CallToAction } from "../site/call-to-action.tsx";
import { HowItWorks } from "../site/how-it-works.tsx";
import { getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { findReviewsNear } from "../site/pick-reviews.ts";
import { Reviews } from "../site/reviews.tsx";
import { NoticePage } from "../site/notice.tsx";
import { loadJobPrices, useClaims } from "../site/site-claims.ts";
import { WhyChooseUs } from "../site/why-choose-us.tsx";
import type { Route } from "./+types/suburb-page.ts";
import { LocalProviders } from "../provider-profiles/local-providers.tsx";
import logoStyles from "../provider-profiles/logo.css?inline";
import providerStyles from "../provider-profiles/local-providers.css?inline";
import ownStyles from "./suburb.css?inline";
import { loadSuburb } from "./load-suburb.ts";
import { SuburbBanner, SuburbHighlights } from "./suburb-banner.tsx";
import { SuburbContact, SuburbLocalInformation, SuburbSpeed } from "./suburb-facts.tsx";
import { suburbData, suburbTitle } from "./suburb-data.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { SuburbFaq } from "./suburb-faq.tsx";
import { SuburbNearby } from "./suburb-nearby.tsx";
import { SuburbLawns } from "./suburb-lawns.tsx";
import { SuburbPrices } from "./suburb-prices.tsx";

export const handle: DocumentHandle = {
  sheet: "suburb",
  styles: import.meta.env.SSR
    ? (data) =>
        (data as Route.ComponentProps["loaderData"] | undefined)?.providers.length
          ? ownStyles + logoStyles + providerStyles
          : ownStyles
    : undefined,
};

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { contactPhone, contactEmail } = context.get(requestContext);
  const canonical = getCanonicalUrl(request);
  const found = await loadSuburb(context.get(apiContext), params.suburb);
  if (!found) {
    return data(
      {
        suburb: null,
        nearby: [],
        records: null,
        providers: [],
        prices: [],
        contactPhone,
        contactEmail,
        canonical,
      },
      { status: 404 },
    );
  }
  if (params.suburb !== found.suburb.slug) throw redirect(`/location/${found.suburb.slug}`, 301);
  const prices = await loadJobPrices(context, { council: found.suburb.council });
  return { ...found, prices, contactPhone, contactEmail, canonical, ...getChallenge(context) };
}

export function action({ request, context }: Route.ActionArgs) {
  return handleBookingPost({ request, context });
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData?.suburb) {
    return pageMeta({ title: "Location not found", description: "We don't have a page for this suburb." });
  }
  const { suburb } = loaderData;
  // Search engines must not index pages without facts of their own.
  const canonical = suburb.isListed ? loaderData.canonical : undefined;
  return [
    ...pageMeta({
      title: suburbTitle(suburb),
      description: `Lawn mowing, hedge trimming and garden maintenance in ${suburb.name} NSW ${suburb.postcode}, from ${formatFromPrice(suburb.priceFrom)}. Ask once and get a free quote from a local provider.`,
      canonical,
      picture: {
        path: `/og/${suburb.slug}.png`,
        alt: `Perfect lawn care in ${suburb.name}, with a drawing`,
      },
    }),
    { name: "geo.region", content: "AU-NSW" },
    { name: "geo.placename", content: suburb.name },
    { name: "geo.position", content: `${suburb.latitude};${suburb.longitude}` },
    ...(canonical ? suburbData(suburb, canonical, suburb.phone ?? loaderData.contactPhone) : []),
  ];
}

function UnknownSuburb() {
  return (
    <NoticePage plate="?" title="Location not found">
      <p className="intro">
        We don’t have a page for a suburb by that name, but you can still ask for a quote there.
      </p>
      <p className="actions">
        <a className="button button--main button--large" href="/get-quote">
          Get Free Quote
        </a>
        <a className="button button--quiet button--large" href="/locations">
          View All Locations
        </a>
      </p>
    </NoticePage>
  );
}

function Crumbs({ name }: { name: string }) {
  return (
    <nav className="wrap crumbs" aria-label="Breadcrumb">
      <ol>
        <li>
          <a href="/">Home</a>
        </li>
        <li>
          <a href="/locations">Locations</a>
        </li>
        <li aria-current="page">{name}</li>
      </ol>
    </nav>
  );
}

export default function SuburbPage({ loaderData, actionData }: Route.ComponentProps) {
  const claims = useClaims();
  if (!loaderData.suburb) return <UnknownSuburb />;
  const { suburb, nearby, prices, contactPhone, contactEmail, challenge } = loaderData;
  const phone = suburb.phone ?? contactPhone;
  const quoteHref = `/get-quote?${new URLSearchParams({ address: `${suburb.name} NSW ${suburb.postcode}` })}`;
  return (
    <div className="suburb">
      <Crumbs name={suburb.name} />
      <SuburbBanner suburb={suburb} phone={phone} quoteHref={quoteHref} />
      <SuburbHighlights priceFrom={suburb.priceFrom} />
      <section className="section section--sunken">
        <div className="wrap suburb-ask">
          <SuburbPrices suburb={suburb} prices={prices} />
          <section className="form-card" aria-labelledby="booking">
            <h2 id="booking">{`Book a visit in ${suburb.name}`}</h2>
            <Island
              file="bookings/booking-form.island.tsx"
              component={BookingForm}
              when="touch"
              props={{
                ...(actionData ?? BLANK_FORM),
                suburbId: suburb.id,
                action: `/location/${suburb.slug}`,
                challenge,
              }}
            />
          </section>
          <SuburbSpeed records={loaderData.records} />
        </div>
      </section>
      <LocalProviders suburb={suburb.name} providers={loaderData.providers} />
      <HowItWorks />
      <Reviews title="What customers say" reviews={findReviewsNear(suburb)} rating="suburbRating" />
      <WhyChooseUs title={`Why choose us in ${suburb.name}`} />
      <SuburbLawns suburb={suburb} />
      <section className="section section--sunken">
        <div className="wrap grid grid--2">
          <SuburbLocalInformation suburb={suburb} />
          <SuburbContact suburb={suburb} phone={phone} email={suburb.email ?? contactEmail} />
        </div>
      </section>
      <SuburbFaq suburb={suburb} nearby={nearby} claims={claims} />
      <SuburbNearby suburb={suburb} nearby={nearby} />
      <CallToAction title="Don't See Your Area?" text="We cover all of NSW." phone={phone} />
    </div>
  );
}
