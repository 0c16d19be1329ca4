import { policyContext, requestContext } from "../lib/server-context.ts";
import { claim } from "../site/claims.ts";
import { Notice } from "../site/notice.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/success-page.ts";
import { ConversionConsent } from "./conversion-consent.tsx";
import { NextSteps } from "./next-steps.tsx";

/** The policy follows: only where a conversion is configured may anything of Google's be loaded. */
export function loader({ context }: Route.LoaderArgs) {
  const { adsConversion } = context.get(requestContext);
  context.get(policyContext).tellsAds = adsConversion !== null;
  return { adsConversion };
}

export function meta() {
  return pageMeta({
    title: "Request submitted",
    description: "Your request for a free quote has been submitted.",
  });
}

export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  return (
    <Notice plate={<Icon name="check" size={28} />} title="Request Submitted Successfully!">
      <p className="intro">
        Thank you. We will find a provider for you
        {claim("connected") ? " and connect you within 24 hours." : " and connect you as soon as we can."}
      </p>
      <NextSteps />
      <p className="actions">
        <a className="button button--large" href="/">
          Back to the home page
        </a>
        <a className="button button--quiet button--large" href="/locations">
          View All Locations
        </a>
      </p>
      {loaderData.adsConversion && <ConversionConsent conversion={loaderData.adsConversion} />}
    </Notice>
  );
}
