import { CALL_HOURS } from "../../contract/call-clock.ts";
import { LEAD_PRICE_CENTS, RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { LOW_STANDING_MIN_LEADS, LOW_STANDING_SHARE, STANDING_DAYS } from "../../contract/standing.ts";
import { formatDollars } from "../lib/format-money.ts";
import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/how-it-works-page.ts";
import { CallToAction } from "./call-to-action.tsx";
import { getCanonicalUrl, pageMeta } from "./page-meta.ts";
import { sharePicture } from "./share-cards.ts";
import { useClaims } from "./site-claims.ts";
import { guaranteeText } from "./why-choose-us.tsx";

export function loader({ request, context }: Route.LoaderArgs) {
  const { contactPhone } = context.get(requestContext);
  return { contactPhone, canonical: getCanonicalUrl(request) };
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

/** Says which providers suburb pages list, and in which order. worker/pipeline/profiles/rules.ts sorts them. */
function ListedProviders() {
  return (
    <>
      <h2 id="listed">Which providers do you list?</h2>
      <p>
        Suburb pages list up to three providers who work there and have a page with us. We’ve checked their
        ABN, or they’ve paid for a request before. We look at the last {STANDING_DAYS} days. Providers with at
        least {LOW_STANDING_MIN_LEADS} customers who called {LOW_STANDING_SHARE * 100}% or more of them in
        time come first. Those with fewer customers come next, then the rest. In each group the nearest comes
        first. No provider can pay for a better place. Any provider may take your request, listed or not.
      </p>
    </>
  );
}

/** Answers what a customer wants to know before they send a form. Every form links here. */
export default function HowItWorksPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Answers />
      <CallToAction
        title="Ready for a lawn you like?"
        text="Ask once. One provider calls."
        phone={loaderData.contactPhone}
      />
    </>
  );
}

function Answers() {
  const claims = useClaims();
  return (
    <article className="wrap prose">
      <h1>How it works and what it costs</h1>
      <h2>What do I pay?</h2>
      <p>
        Asking is free, and we never charge you. You only pay for the work, at the price that you and your
        provider agree on. See <a href="/services#prices">what jobs cost</a>.
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
        urgent. Evenings and nights, from 8&nbsp;pm to 7&nbsp;am, and public holidays don’t count. So it can
        take up to two days, or until the next morning if it’s urgent, and longer over public holidays. If no
        call comes in that time, tell us on your request’s page. Your provider gets one last chance to call.
        Then we offer your request to other providers, once. If that fails, our team looks for a provider.
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
      <ListedProviders />
      <p className="note">
        The <a href="/terms-conditions">terms</a> have the details. Read also{" "}
        <a href="/reviews">how reviews work</a> and our <a href="/privacy-policy">privacy policy</a>.
      </p>
    </article>
  );
}
