import { Island } from "../lib/island.tsx";
import { requestContext } from "../lib/server-context.ts";
import { answerSimpleQuote } from "../quotes/answer-simple-quote.ts";
import { BLANK_FORM } from "../quotes/post-form.ts";
import SimpleQuoteForm from "../quotes/simple-quote-form.island.tsx";
import { CallToAction } from "../site/call-to-action.tsx";
import { claim } from "../site/claims.ts";
import { canonicalOf, pageMeta } from "../site/page-meta.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { StreetScene } from "../site/street-scene.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { Route } from "./+types/services-page.ts";
import { ServiceCards } from "./service-cards.tsx";
import { SERVICE_AREAS } from "./service-words.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  const { contactPhone, mapsKey } = context.get(requestContext);
  return { contactPhone, mapsKey, canonical: canonicalOf(request) };
}

export function action({ request, context }: Route.ActionArgs) {
  return answerSimpleQuote({ request, context }, null);
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Lawn and Garden Services",
    description:
      "Lawn mowing, garden and yard cleanup, hedge trimming, green waste removal and pressure washing in New South Wales, with prices and durations.",
    canonical: loaderData?.canonical,
  });
}

const REASONS: { icon: IconName; title: string; text: string }[] = [
  {
    icon: "badge",
    title: "Checked providers",
    text: claim("insured") ?? "Independent businesses that work in your area.",
  },
  {
    icon: "clock",
    title: "Quick answers",
    text: claim("sameDay") ?? "A provider calls you, so you need not ring around.",
  },
  {
    icon: "coin",
    title: "Clear prices",
    text: claim("noHiddenFees") ?? "You get the full price before any work starts.",
  },
  {
    icon: "user",
    title: "One call, not five",
    text: "Your details go to one provider. Nobody else gets your number.",
  },
];

export default function ServicesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { contactPhone, mapsKey } = loaderData;
  return (
    <>
      <section className="hero hero--form">
        <div className="wrap hero__row">
          <div className="hero__words">
            <h1>Lawn and garden services</h1>
            <p className="lead">
              From a quick mow to a yard nobody has walked through in years. Say what needs doing, and a local
              provider calls you with a free quote.
            </p>
            <p className="actions">
              <PhoneLink phone={contactPhone} className="button button--quiet button--large" />
            </p>
          </div>
          <div className="form-card">
            <h2>Get a free quote</h2>
            <Island
              file="quotes/simple-quote-form.island.tsx"
              component={SimpleQuoteForm}
              when="touch"
              props={{ ...(actionData ?? BLANK_FORM), service: null, action: "/services", mapsKey }}
            />
          </div>
          <StreetScene />
        </div>
        <div className="street" aria-hidden="true" />
      </section>
      <section className="section" aria-labelledby="services">
        <div className="wrap">
          <div className="section__head">
            <h2 id="services">What we can help with</h2>
          </div>
          <ServiceCards />
        </div>
      </section>
      <section className="section section--sunken" aria-labelledby="reasons">
        <div className="wrap">
          <div className="section__head">
            <h2 id="reasons">Why ask here</h2>
          </div>
          <ul className="grid grid--4 reasons">
            {REASONS.map((reason) => (
              <li key={reason.title}>
                <Icon name={reason.icon} size={32} />
                <h3>{reason.title}</h3>
                <p>{reason.text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section className="section" aria-labelledby="areas">
        <div className="wrap">
          <div className="section__head">
            <h2 id="areas">Service areas</h2>
            <p>
              <a href="/locations">View All Locations</a>
            </p>
          </div>
          <ul className="areas">
            {SERVICE_AREAS.map((area) => (
              <li key={area}>
                <Icon name="pin" size={20} />
                {area}
              </li>
            ))}
          </ul>
        </div>
      </section>
      <CallToAction
        title="Not sure what it's called?"
        text="Describe the job in your own words, or give us a call. We find the provider who does it."
        phone={contactPhone}
      />
    </>
  );
}
