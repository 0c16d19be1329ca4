import { CALL_HOURS } from "../../contract/call-clock.ts";
import { BAD_LEAD_REPORT_DAYS } from "../../contract/bad-leads.ts";
import { FREE_CLAIM_CAP, RULE_TEXTS } from "../../contract/guarantee.ts";
import { describeLegalEntity } from "../../contract/legal-entity.ts";
import { RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/terms-page.ts";
import { LastUpdated } from "./last-updated.tsx";
import { useClaims } from "./site-claims.ts";
import { guaranteeText } from "./why-choose-us.tsx";
import { getCanonicalUrl, pageMeta } from "./page-meta.ts";

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
    <article className="wrap prose">
      <h1>Terms &amp; Conditions</h1>
      <LastUpdated page="/terms-conditions" />
      <h2>Who we are</h2>
      <p>
        Naturestrip is run by {describeLegalEntity(loaderData.legalEntity)}. That business is "we" and "us" in
        these terms.
      </p>
      <h2>What we do</h2>
      <p>
        Naturestrip connects people who need lawn or garden work in New South Wales with independent
        providers. We don't do the work ourselves. The contract for the work is between the customer and the
        provider.
      </p>
      <h2>For customers</h2>
      <ul>
        <li>Asking for a quote is free, with no obligation.</li>
        <li>
          Give us accurate details. Only ask for work on a property you're allowed to have work done on.
        </li>
        <li>
          We pass your details to one provider at a time, who contacts you. You pay the provider, never us.
        </li>
        <li>
          The provider has {CALL_HOURS.other} hours to call you, or {CALL_HOURS.urgent} if it's urgent.
          Evenings and nights, from 8 pm to 7 am, and public holidays don't count. If they don't call in that
          time and you tell us, we pass your request on to another provider, once. The first provider keeps
          the details they already have.
        </li>
        <li>
          Anyone with the link to your request's page can see and change the request. You're responsible for
          who you share it with.
        </li>
        {claims.guarantee && <li>Satisfaction guarantee: {guaranteeText(claims)}</li>}
      </ul>
      <h2>For providers</h2>
      <ul>
        <li>Each lead is sold to one provider only. Once it's sold, no one else can buy it.</li>
        <li>
          Call the customer in time: within {CALL_HOURS.urgent} hours if the job is urgent, and{" "}
          {CALL_HOURS.other} hours if not. Only the hours from 7 am to 8 pm count. Public holidays don't
          count. If you don't call and the customer tells us, we pass their request on to another provider as
          a new lead.
        </li>
        <li>
          The price of a lead is fixed and shown before you buy; it's currently $50, and $
          {RESCUE_PRICE_CENTS / 100} for a request that we pass on.
        </li>
        <li>
          Purchases are final. Buying a lead doesn't mean the customer will accept your quote. If one of these
          is true for a lead you paid for, you get a free claim for another lead of the same price:
          <ul>
            {Object.values(RULE_TEXTS).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </li>
        <li>
          If you quote or book the job after all, you lose the free claim for it, unless you've used it. These
          rules cover up to {FREE_CLAIM_CAP.share * 100}% of the leads you bought in the last{" "}
          {FREE_CLAIM_CAP.days} days, and at least one. Beyond that, or once the customer has reviewed you or
          you've marked the job as complete, our team decides. You get no free claim for a lead we passed on
          because you didn't call, or for a refunded or disputed payment. If we refuse or take back a free
          claim, you can contest that once for each lead. For anything else, report the bad lead within{" "}
          {BAD_LEAD_REPORT_DAYS} days. A free claim is never paid out as money.
        </li>
        {claims.guarantee && (
          <li>
            If a customer's first job with you isn't right and they tell us within 14 days, put it right
            within 14 days at your own cost.
          </li>
        )}
        <li>Use a customer's details for that customer's job only, and keep them safe.</li>
        <li>
          Hold the insurance and licences your work requires, and quote the full price before you start.
        </li>
        <li>
          Keep your password to yourself. You're responsible for what your team members do with your account.
        </li>
      </ul>
      <h2>Accounts</h2>
      <p>We may close an account that breaks these terms, misleads customers or harms other providers.</p>
      <h2>Liability and your rights</h2>
      <p>
        Nothing here, including the rule that purchases are final, takes away rights you have under the
        Australian Consumer Law or any other law that can't be excluded. Beyond those rights, we're not liable
        for the work of providers or the conduct of customers.
      </p>
      <h2>Law</h2>
      <p>
        These terms are governed by the laws of New South Wales, Australia, and its courts have jurisdiction.
      </p>
      <h2>Contact</h2>
      <p>
        Email <a href={`mailto:${loaderData.contactEmail}`}>{loaderData.contactEmail}</a>. How we handle
        personal information is set out in the <a href="/privacy-policy">Privacy Policy</a>.
      </p>
    </article>
  );
}
