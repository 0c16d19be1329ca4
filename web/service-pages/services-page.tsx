import { requestContext } from "../lib/server-context.ts";
import { handleSimpleQuotePost } from "../quotes/handle-simple-quote.ts";
import { getChallenge } from "../quotes/challenge-source.ts";
import { CallToAction } from "../site/call-to-action.tsx";
import type { Claims } from "../site/claims.ts";
import { getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { sharePicture } from "../site/share-cards.ts";
import { type Point, Reasons } from "../site/points.tsx";
import { Section } from "../site/section.tsx";
import { useClaims } from "../site/site-claims.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/services-page.ts";
import { QuoteHero } from "./quote-hero.tsx";
import { PriceTable } from "./price-table.tsx";
import { ServiceCards } from "./service-cards.tsx";
import { SERVICE_AREAS } from "./service-areas.ts";
import { getMapsSource } from "../addresses/maps-source.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  const { contactPhone } = context.get(requestContext);
  return {
    contactPhone,
    maps: getMapsSource(context),
    canonical: getCanonicalUrl(request),
    ...getChallenge(context),
  };
}

export function action({ request, context }: Route.ActionArgs) {
  return handleSimpleQuotePost({ request, context }, null);
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Lawn and Garden Services",
    description:
      "From a single mow to a full jungle. See where prices start for six kinds of work, and ask one local provider in New South Wales for a free quote.",
    canonical: loaderData?.canonical,
    picture: sharePicture("services"),
  });
}

const listReasons = (claims: Claims): Point[] => [
  {
    icon: "badge",
    title: "Local providers",
    text: claims.insured ?? "Independent businesses that work in your area.",
  },
  {
    icon: "clock",
    title: claims.highlights ? "Quick answers" : "Answers by phone",
    text: claims.sameDay ?? "A provider calls you, so there's no ringing around.",
  },
  {
    icon: "coin",
    title: "Clear prices",
    text: claims.noHiddenFees ?? "You get the full price before any work starts.",
  },
  {
    icon: "user",
    title: "One call, not five",
    text: "Your details go to one provider at a time, not to a crowd.",
  },
];

export default function ServicesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { contactPhone, maps, challenge } = loaderData;
  return (
    <>
      <QuoteHero
        title="Lawn and garden services"
        text="From a quick mow to a full jungle. Tell us what needs doing and a local provider will call you with a free quote."
        phone={contactPhone}
        maps={maps}
        challenge={challenge}
        service={null}
        action="/services"
        answered={actionData}
      />
      <Section id="services" title="What we can help with">
        <ServiceCards />
      </Section>
      <Section id="prices" title="What it might cost" variant="split">
        <div className="prices">
          <PriceTable />
          <p className="note">
            Slopes, access and how overgrown it is make a difference too. Your provider will give you the
            price for your place.
          </p>
        </div>
      </Section>
      <Section id="reasons" title="Why ask us" variant="sunken">
        <Reasons points={listReasons(useClaims())} />
      </Section>
      <Section id="areas" title="Service areas" aside={<a href="/locations">View All Locations</a>}>
        <ul className="areas">
          {SERVICE_AREAS.map(({ name, href }) => (
            <li key={name}>
              <Icon name="pin" size={20} />
              <a href={href}>{name}</a>
            </li>
          ))}
        </ul>
      </Section>
      <CallToAction
        title="Not sure what you need?"
        text="Tell us about the job in your own words, or give us a call."
        phone={contactPhone}
      />
    </>
  );
}
