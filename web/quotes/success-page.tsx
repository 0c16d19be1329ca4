import { policyContext, requestContext } from "../lib/server-context.ts";
import { claim } from "../site/claims.ts";
import { Notice } from "../site/notice.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/success-page.ts";
import { ConversionConsent } from "./conversion-consent.tsx";
import { NextSteps } from "./next-steps.tsx";

/** The policy follows: only where a conversion is configured may anything of Google's be loaded. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { adsConversion, contactPhone } = context.get(requestContext);
  context.get(policyContext).tellsAds = adsConversion !== null;
  const isInspection = new URL(request.url).searchParams.get("for") === "inspection";
  return { adsConversion, contactPhone, isInspection };
}

export function meta() {
  return pageMeta({
    title: "Request submitted",
    description: "Your request for a free quote has been submitted.",
  });
}

/** What was asked for and who gets in touch: a provider, or we ourselves. */
function Thanks({ isInspection }: { isInspection: boolean }) {
  if (isInspection)
    return <p className="intro">Thank you. We’ll call you to agree on a time for the inspection.</p>;
  return (
    <>
      <p className="intro">
        Thank you. We will find a provider for you
        {claim("connected") ? " and connect you within 24 hours." : " and connect you as soon as we can."}
      </p>
      <NextSteps />
    </>
  );
}

export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  const { adsConversion, contactPhone, isInspection } = loaderData;
  return (
    <Notice plate={<Icon name="check" size={28} />} title="Request Submitted Successfully!">
      <Thanks isInspection={isInspection} />
      <div className="nobody-called">
        <p>No call by this time tomorrow, or was your number mistyped? Ring us and we’ll sort it out.</p>
        <PhoneLink phone={contactPhone} className="button button--quiet" />
      </div>
      <p className="actions">
        <a className="button button--large" href="/">
          Back to the home page
        </a>
        <a className="button button--quiet button--large" href="/locations">
          View All Locations
        </a>
      </p>
      {adsConversion && <ConversionConsent conversion={adsConversion} />}
    </Notice>
  );
}
