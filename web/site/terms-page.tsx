import { CALL_HOURS } from "../../contract/call-clock.ts";
import { BAD_LEAD_REPORT_DAYS } from "../../contract/bad-leads.ts";
import { CUSTOMER_GUARANTEE_DAYS, FREE_CLAIM_CAP, RULE_TEXTS } from "../../contract/guarantee.ts";
import { describeLegalEntity } from "../../contract/legal-entity.ts";
import { LEAD_PRICE_CENTS, RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/terms-page.ts";
import { useClaims } from "./site-claims.ts";
import { guaranteeText } from "./why-choose-us.tsx";
import { getCanonicalUrl, pageMeta } from "./page-meta.ts";
import text from "./terms.md";
import { TextPage } from "./text-page.tsx";

export function loader({ request, context }: Route.LoaderArgs) {
  const { contactEmail, legalEntity } = context.get(requestContext);
  return { contactEmail, legalEntity, canonical: getCanonicalUrl(request) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Terms & Conditions",
    description:
      "Customers: who your contract is with, who you pay, and your rights. Providers: what a lead costs, how soon you must call, and when you get a free claim.",
    canonical: loaderData?.canonical,
  });
}

export default function TermsPage({ loaderData }: Route.ComponentProps) {
  const claims = useClaims();
  return (
    <TextPage
      title="Terms & Conditions"
      path="/terms-conditions"
      html={text}
      facts={{
        legalEntity: describeLegalEntity(loaderData.legalEntity),
        contactEmail: loaderData.contactEmail,
        callHours: CALL_HOURS.other,
        urgentCallHours: CALL_HOURS.urgent,
        leadDollars: LEAD_PRICE_CENTS / 100,
        rescueDollars: RESCUE_PRICE_CENTS / 100,
        ...RULE_TEXTS,
        capPercent: FREE_CLAIM_CAP.share * 100,
        capDays: FREE_CLAIM_CAP.days,
        guaranteeDays: CUSTOMER_GUARANTEE_DAYS,
        reportDays: BAD_LEAD_REPORT_DAYS,
        guarantee: claims.guarantee ? guaranteeText(claims) : "",
      }}
    />
  );
}
