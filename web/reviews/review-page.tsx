import { data } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import { formToObject } from "../../contract/forms.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { MAX_REQUEST_TOKEN_LENGTH } from "../../contract/request-links.ts";
import {
  type CustomerReview,
  MAX_REVIEW_LENGTH,
  REVIEW_RULE_LABELS,
  reviewFormSchema,
} from "../../contract/reviews.ts";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { formatDate } from "../lib/format-time.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { Questions } from "../requests/questions.tsx";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { Alert } from "../ui/alert.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { TextAreaField } from "../ui/field.tsx";
import type { Route } from "./+types/review-page.ts";
import { Reply } from "./review-list.tsx";
import { StarRow, Stars } from "./stars.tsx";

/** The URL is secret, like the request's own. */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

/** Cuts tokens that are too long. They get the same response as any unknown token. */
const tokenOf = (params: { token: string }) => params.token.slice(0, MAX_REQUEST_TOKEN_LENGTH);

/** Loads the review without changing it, because mail scanners open the link too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { contactPhone } = context.get(requestContext);
  const api = context.get(apiContext).api.reviews;
  const { review } = await unwrap(api.$get({ query: { token: tokenOf(params) } }));
  return { review, contactPhone };
}

const OWN_BUSINESS =
  "This phone number, email address or browser belongs to the provider, so we can’t accept the review. Are you the customer? Please open the link from our message on your own phone or computer.";
const CLOSED = "This review can’t be changed any more.";

/** Stores the review. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const values = formToObject(await request.formData());
  const token = tokenOf(params);
  const again = (failure: string | null, errors: FieldErrors, status: number) =>
    data({ values, failure, errors, isWritten: false }, { status });
  const checked = checkForm(reviewFormSchema, { stars: values.stars ?? "", words: values.words, token });
  if (!checked.values) return again(null, checked.errors, 400);
  try {
    const { outcome } = await unwrap(context.get(apiContext).api.reviews.$post({ json: checked.values }));
    if (outcome === "own_business") return again(OWN_BUSINESS, {}, 403);
    if (outcome === "closed") return again(CLOSED, {}, 409);
  } catch (error) {
    const failure = messageOf(error, "That didn’t work. Please try again.");
    return again(failure, {}, error instanceof ApiError ? error.status : 500);
  }
  return data({ values, failure: null, errors: {} as FieldErrors, isWritten: true });
}

export function meta() {
  return pageMeta({ title: "Your review", description: "Review the provider who had your request." });
}

const STAR_OPTIONS = [
  { value: "5", label: "5 stars, great" },
  { value: "4", label: "4 stars, good" },
  { value: "3", label: "3 stars, okay" },
  { value: "2", label: "2 stars, poor" },
  { value: "1", label: "1 star, bad" },
];

export default function ReviewPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { review, contactPhone } = loaderData;
  return (
    <section className="sheet sheet--small" aria-labelledby="review-title">
      <Logo />
      {actionData?.failure && <Alert>{actionData.failure}</Alert>}
      {!review ? (
        <>
          <h1 id="review-title">There’s no review to write here</h1>
          <p>Part of the link may be missing, or it’s too early. We ask once, by email or text.</p>
        </>
      ) : review.isOpen ? (
        <ReviewForm review={review} values={actionData?.values ?? {}} errors={actionData?.errors ?? {}} />
      ) : review.stars === null ? (
        <>
          <h1 id="review-title">It’s too late for this review</h1>
          <p>
            You could review {review.provider} until {formatDate(review.endsAt)}. Anything we should know?
            Please call us.
          </p>
        </>
      ) : (
        <Written review={review} stars={review.stars} isNew={actionData?.isWritten ?? false} />
      )}
      <Questions phone={contactPhone} />
      {review && (
        <p>
          <a href={`/request/${params.token}`}>Back to your request</a>
        </p>
      )}
      <p>
        <a href="/reviews">How reviews work</a>
      </p>
    </section>
  );
}

function ReviewForm({
  review: { provider, service, endsAt },
  values,
  errors,
}: {
  review: CustomerReview;
  values: Record<string, unknown>;
  errors: FieldErrors;
}) {
  return (
    <>
      <h1 id="review-title">How was {provider}?</h1>
      <p>
        They had your request for {serviceName(service).toLowerCase()}. Good or bad, your review helps your
        neighbours decide whether to book.
      </p>
      <form method="post" className="form" noValidate>
        <ChoiceGroup
          name="stars"
          legend="Your rating"
          type="radio"
          options={STAR_OPTIONS.map((option) => ({
            ...option,
            mark: (
              <span className="stars">
                <StarRow stars={Number(option.value)} />
              </span>
            ),
          }))}
          chosen={[String(values.stars ?? "")]}
          required
          error={errors.stars}
        />
        <TextAreaField
          name="words"
          label="How did it go?"
          hint="The call, the quote or the work. Please leave out names, numbers and addresses."
          rows={5}
          maxLength={MAX_REVIEW_LENGTH}
          defaultValue={String(values.words ?? "")}
          error={errors.words}
        />
        <p>
          Everyone can read your review. We show your first name and suburb with it. You can’t change it
          later. The link works until {formatDate(endsAt)}.
        </p>
        <button className="button button--main" type="submit">
          Publish My Review
        </button>
      </form>
    </>
  );
}

function Written({
  review: { provider, words, reply, hiddenRule },
  stars,
  isNew,
}: {
  review: CustomerReview;
  stars: number;
  isNew: boolean;
}) {
  return (
    <>
      <h1 id="review-title">Your review of {provider}</h1>
      {isNew && (
        <output className="request__news">
          Thanks! Your review is published, and we’ve let {provider} know.
        </output>
      )}
      {hiddenRule && (
        <p>
          We’ve hidden this review. {REVIEW_RULE_LABELS[hiddenRule] ?? "It breaks one of our rules"}. Think
          that’s wrong? Please call us.
        </p>
      )}
      <Stars stars={stars} />
      {words && (
        <p className="review-list__words" dir="auto">
          {words}
        </p>
      )}
      {reply && <Reply>{reply}</Reply>}
    </>
  );
}
