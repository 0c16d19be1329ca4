import { CALL_HOURS } from "../../contract/call-clock.ts";
import { LEAD_PRICE_CENTS, RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { formatDollars } from "../lib/format-money.ts";
import type { Route } from "./+types/how-it-works-page.ts";
import { getCanonicalUrl, pageMeta } from "./page-meta.ts";
import { sharePicture } from "./share-cards.ts";
import { useClaims } from "./site-claims.ts";
import { guaranteeText } from "./why-choose-us.tsx";

export function loader({ request }: Route.LoaderArgs) {
  return { canonical: getCanonicalUrl(request) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "How It Works and What It Costs",
    description:
      "What you pay and to whom, what happens if no one calls or the job goes wrong, and who checks the providers.",
    canonical: loaderData?.canonical,
    picture: sharePicture("how-it-works"),
  });
}

const REVIEWS_AND_RIGHTS =
  "We may ask you for a review, which everyone can read. You also have your rights under the Australian Consumer Law.";

/** Answers what a customer wants to know before they send a form. Every form links here. */
export default function HowItWorksPage() {
  const claims = useClaims();
  return (
    <article className="wrap prose">
      <h1>How it works and what it costs</h1>
      <h2>What do I pay?</h2>
      <p>
        Asking is free, and we never charge you. You only pay for the work, at the price that you and your
        provider agree on.
      </p>
      <h2>Who do I pay?</h2>
      <p>
        Your provider, never us. The provider usually pays us for your request:{" "}
        {formatDollars(LEAD_PRICE_CENTS / 100)}, or {formatDollars(RESCUE_PRICE_CENTS / 100)} if we had to
        pass it on.
      </p>
      <h2>What if no one calls?</h2>
      <p>
        A provider who takes your request has {CALL_HOURS.other} hours to call, or {CALL_HOURS.urgent} if it’s
        urgent. Only the hours from 7&nbsp;am to 8&nbsp;pm count. If no call comes in that time, tell us on
        your request’s page. Your provider gets one last chance to call. Then we offer your request to other
        providers, once. If that fails, our team looks for a provider.
      </p>
      <h2>What if the job goes wrong?</h2>
      <p>
        {claims.guarantee
          ? guaranteeText(claims)
          : "The contract is between you and your provider, so ask them to put it right."}{" "}
        {REVIEWS_AND_RIGHTS}
      </p>
      <h2>Who checks the providers?</h2>
      <p>
        We do: their ABN, their insurance and a police check, once they send us proof. Your request’s page
        says what we’ve checked about your provider, and when, so look there before you book.
      </p>
      <p className="note">
        The <a href="/terms-conditions">terms</a> have the details. Read also{" "}
        <a href="/reviews">how reviews work</a> and our <a href="/privacy-policy">privacy policy</a>.
      </p>
    </article>
  );
}
