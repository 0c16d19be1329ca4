import { requestContext } from "../lib/server-context.ts";
import { claim } from "../site/claims.ts";
import { pageMeta } from "../site/page-meta.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/success-page.ts";
import { ConversionConsent } from "./conversion-consent.tsx";

export function loader({ context }: Route.LoaderArgs) {
  return { adsConversion: context.get(requestContext).adsConversion };
}

export function meta() {
  return pageMeta({
    title: "Request submitted",
    description: "Your request for a free quote has been submitted.",
  });
}

const NEXT_STEPS = [
  "We look for a provider who works in your area and has time for the job.",
  "They call you on the number you gave, with questions and a free quote.",
  "You decide. If you like the quote, agree on a day; if not, just say no.",
] as const;

export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap notice">
      <span className="plate">
        <Icon name="check" size={28} />
      </span>
      <h1>Request Submitted Successfully!</h1>
      <p className="lead">
        Thank you. We will find a provider for you
        {claim("connected") ? " and connect you within 24 hours." : " and connect you as soon as we can."}
      </p>
      <h2>What happens next</h2>
      <ol className="next-steps">
        {NEXT_STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="actions">
        <a className="button" href="/">
          Back to the home page
        </a>
        <a className="button button--quiet" href="/locations">
          View All Locations
        </a>
      </p>
      {loaderData.adsConversion && <ConversionConsent conversion={loaderData.adsConversion} />}
    </div>
  );
}
