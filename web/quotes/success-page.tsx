import { claim } from "../site/claims.ts";
import { Notice } from "../site/notice.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { Icon } from "../ui/icon.tsx";
import { NextSteps } from "./next-steps.tsx";

export function meta() {
  return pageMeta({
    title: "Request submitted",
    description: "Your request for a free quote has been submitted.",
  });
}

export default function SuccessPage() {
  return (
    <Notice plate={<Icon name="check" size={28} />} title="Request Submitted Successfully!">
      <p className="lead">
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
    </Notice>
  );
}
