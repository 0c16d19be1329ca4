import {
  REVIEW_AFTER_DAYS,
  REVIEW_MIN_HOURS,
  REVIEW_OPEN_DAYS,
  REVIEW_RULE_LABELS,
  REVIEW_RULES,
} from "../../contract/reviews.ts";
import { unwrap } from "../lib/api.ts";
import { formatCount } from "../lib/format-count.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { sharePicture } from "../site/share-cards.ts";
import type { Route } from "./+types/how-reviews-work-page.ts";
import { PhoneNumber } from "../ui/phone-number.tsx";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { contactPhone, contactEmail } = context.get(requestContext);
  const totals = await unwrap(context.get(apiContext).api.reviews.totals.$get());
  return { totals, contactPhone, contactEmail, canonical: getCanonicalUrl(request) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "How Reviews Work, and When We Hide One",
    description:
      "Only the customer of a job that a provider paid for can review it. See when we ask, what everyone can read, and when we hide a review.",
    canonical: loaderData?.canonical,
    picture: sharePicture("reviews"),
  });
}

export default function HowReviewsWorkPage({ loaderData }: Route.ComponentProps) {
  const { totals, contactPhone, contactEmail } = loaderData;
  const hidden = Object.values(totals.hidden).reduce((sum, count) => sum + count, 0);
  return (
    <article className="wrap prose">
      <h1>How reviews work</h1>
      <p>
        Every review on a provider’s page comes from a customer whose request that provider paid for. No one
        else can write one.
      </p>
      <h2>Who we ask, and when</h2>
      <ul>
        <li>
          We ask once, by email or text, when the provider marks the job as complete. We wait at least{" "}
          {REVIEW_MIN_HOURS} hours after they took the request, and at most {REVIEW_AFTER_DAYS} days. A
          provider can’t stop us from asking.
        </li>
        <li>The link in our message works for {REVIEW_OPEN_DAYS} days. The request’s own page has it too.</li>
        <li>
          We don’t ask if you called off the job, if the provider didn’t call, or if the provider didn’t pay
          for your request. Nor do we ask if the provider got a free claim for it. We still ask if that was
          because you didn’t answer their calls. If you told us that you never asked for a quote, we ask only
          if you take that back.
        </li>
        <li>We don’t pay for reviews, and we don’t ask first whether you were happy.</li>
      </ul>
      <h2>What we show</h2>
      <ul>
        <li>
          Every review, good or bad, as soon as it’s written: the stars, the text, the customer’s first name
          and suburb, the service and the month. A program hides phone numbers, email addresses and street
          addresses in the text.
        </li>
        <li>
          The provider can write one reply, and change it later. They can’t change or remove a review. We hide
          the customer’s surname and address in a reply, and we remove one that breaks the rules below.
        </li>
        <li>A provider’s average counts every review on their page, and says how many there are.</li>
        <li>
          When we delete a customer’s details, we keep the stars, the service and the month. We delete the
          text, the name and the suburb.
        </li>
      </ul>
      <h2>No reviewing your own business</h2>
      <p>
        We refuse a review if the phone number, email address or browser belongs to the provider or their
        team. If they belong to another provider, or a provider signs in from the same network, one of our
        team looks at the review.
      </p>
      <h2>The only reasons to hide a review</h2>
      <ul>
        {REVIEW_RULES.map((rule) => (
          <li key={rule}>
            {REVIEW_RULE_LABELS[rule]}: {formatCount(totals.hidden[rule] ?? 0)} hidden.
          </li>
        ))}
      </ul>
      <p>
        Customers have written {formatCount(totals.written)} {totals.written === 1 ? "review" : "reviews"} of
        our providers so far, and {formatCount(hidden)} {hidden === 1 ? "is" : "are"} hidden. A person decides
        each time, and we keep a record. The one exception: a free claim hides the review automatically. The
        customer and the provider see the reason. A low rating is never a reason.
      </p>
      <p>
        Does a review break a rule, or did we get it wrong? Call us on <PhoneNumber typed={contactPhone} /> or
        email <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
      </p>
    </article>
  );
}
