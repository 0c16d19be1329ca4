import { type GuaranteeAnswer, NO_ANSWER } from "../../contract/guarantee.ts";
import type { CustomerRequest } from "../../contract/request-links.ts";

/** Value of the forms' hidden field, which tells the page's action what to do. */
export const GUARANTEE_INTENT = "guarantee";

function AnswerButton({ answer, text }: { answer: GuaranteeAnswer; text: string }) {
  return (
    <button className="button button--quiet" type="submit" name="answer" value={answer}>
      {text}
    </button>
  );
}

/** Asks the customer whether they missed the provider's calls, and takes their word for a wrong number. */
export function GuaranteeQuestions({ request, name }: { request: CustomerRequest; name: string }) {
  const { isAskedAboutCalls, isNumberWrong, steps, call } = request;
  // Only the customer's answer or time shows that a call reached them, not a provider who marks it.
  const canReport = !isNumberWrong && (call?.canAnswer || steps.every(({ step }) => step !== "called"));
  if (!isAskedAboutCalls && !canReport) return null;
  return (
    <section className="request__call" aria-label="Calls from the provider">
      {isAskedAboutCalls && (
        <>
          <h2>Did you miss calls from {name}?</h2>
          <p>
            They say they’ve called you at least {NO_ANSWER.callsInWords} times without an answer. Is that
            right?
          </p>
          <form method="post" className="request__answers">
            <input type="hidden" name="intent" value={GUARANTEE_INTENT} />
            <AnswerButton answer="missed" text="Yes, I Missed Them" />
            <AnswerButton answer="not_missed" text="No, That’s Wrong" />
          </form>
        </>
      )}
      {canReport && (
        <details>
          <summary>This isn’t my number</summary>
          <form method="post" className="form">
            <input type="hidden" name="intent" value={GUARANTEE_INTENT} />
            <p>
              Did you get a text or call about this request by mistake? Tell us, and we’ll let {name} know
              it’s the wrong number.
            </p>
            <AnswerButton answer="wrong_number" text="It’s Not My Number" />
          </form>
        </details>
      )}
    </section>
  );
}
