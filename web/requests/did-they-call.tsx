import type { CallAnswer } from "../../contract/call-clock.ts";
import type { CustomerRequest } from "../../contract/request-links.ts";
import { formatDeadline } from "../../contract/sydney-time.ts";

/** Value of the form's hidden field, which tells the page's action what to do. */
export const CALL_INTENT = "call";

type Question = NonNullable<CustomerRequest["call"]>;

/** Returns what the customer said, and what happens next. */
function textOf(
  { answer, callBy, canAnswer, isContactedSince, isAskedAgain, isWithAdmin }: Question,
  name: string,
  isMarkedCalled: boolean,
): string {
  if (isWithAdmin) return "We’re looking for another provider for you, and we’ll call you.";
  if (isAskedAgain)
    return `You said you haven’t had a call. ${name} has logged a call or a text to you. Did you get it?`;
  if (answer === "called") return "You said they called.";
  if (answer === "never_asked")
    return `You said you never asked for this. We’ve asked ${name} not to call, and we’re looking into it.`;
  if (answer === "not_yet" && canAnswer && isContactedSince)
    return `You said you hadn’t had a call. Since then, ${name} has logged a call or a text to you. If it reached you, please let us know.`;
  if (answer === "not_yet")
    return callBy === null
      ? `You said you haven’t had a call. We’ve let ${name} know.`
      : `You said you haven’t had a call. We’ve let ${name} know, and they have until ${formatDeadline(callBy)} to call you.`;
  if (!canAnswer) return "";
  if (isMarkedCalled) return `${name} says they’ve called you. Is that right?`;
  return callBy === null
    ? "If they haven’t called, tell us and we’ll step in."
    : `They have until ${formatDeadline(callBy)} to call. If they don’t, tell us and we’ll step in.`;
}

const BUTTONS = { called: "Yes, They Called", not_yet: "Not Yet" } as const;

/**
 * Asks the customer whether the provider called. The form works without a script.
 * @param isMarkedCalled the provider says that they called. Only the customer's answer or the end stops the clock.
 */
export function DidTheyCall({
  call,
  name,
  isMarkedCalled,
}: {
  call: Question;
  name: string;
  isMarkedCalled: boolean;
}) {
  const text = textOf(call, name, isMarkedCalled);
  if (!text) return null;
  const isOpen = (answer: CallAnswer) => call.canAnswer && (call.answer !== answer || call.isAskedAgain);
  const buttons = (["called", "not_yet"] as const).filter(isOpen);
  return (
    <section className="request__call" aria-labelledby="call-title">
      <h2 id="call-title">Did {name} call you?</h2>
      <p role={call.answer ? "status" : undefined}>{text}</p>
      {buttons.length > 0 && (
        <form method="post" className="request__answers">
          <input type="hidden" name="intent" value={CALL_INTENT} />
          {buttons.map((answer) => (
            <button key={answer} className="button button--quiet" type="submit" name="answer" value={answer}>
              {BUTTONS[answer]}
            </button>
          ))}
        </form>
      )}
      {isOpen("never_asked") && (
        <details>
          <summary>I never asked for this</summary>
          <form method="post" className="form">
            <input type="hidden" name="intent" value={CALL_INTENT} />
            <p>We’ll ask {name} not to call you, and find out what happened.</p>
            <button className="button button--quiet" type="submit" name="answer" value="never_asked">
              I Never Asked for This
            </button>
          </form>
        </details>
      )}
    </section>
  );
}
