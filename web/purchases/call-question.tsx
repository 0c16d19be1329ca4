import { CALL_OUTCOMES, CONTACTS, type ContactOutcome, proposeNextAction } from "../../contract/contacts.ts";
import { useClock } from "../lib/clock.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Call } from "./call-tracker.ts";
import { formatDue } from "./due-state.ts";
import type { PurchasedLead } from "./purchases.ts";
import { callTracker, useCall } from "./use-call.ts";
import { useContactLog } from "./use-contact-log.ts";
import { usePurchaseChange } from "./use-purchase-change.ts";

/** Asks how a call to this lead went, then proposes the next action. Renders nothing without a call. */
export function CallQuestion({ purchase }: { purchase: PurchasedLead }) {
  const { call } = useCall();
  if (call?.purchaseId !== purchase.id || call.state === "away") return null;
  return call.state === "asking" ? (
    <AskHow purchase={purchase} call={call} />
  ) : (
    <ProposeNext purchase={purchase} outcome={call.outcome!} />
  );
}

function AskHow({ purchase, call }: { purchase: PurchasedLead; call: Call }) {
  const { now } = useClock();
  const { log } = useContactLog(purchase.id);
  const answer = (outcome: ContactOutcome) => {
    const at = Math.round(now - callTracker.getElapsedMs());
    log(outcome, { entryKey: call.entryKey, at });
    callTracker.logOutcome(outcome);
  };
  return (
    <section className="stack gap-2 call-question" aria-label={`The call with ${purchase.customerName}`}>
      <output className="call-question__words">
        <strong>How did it go?</strong>
        <bdi className="call-question__who"> {purchase.customerName}</bdi>
      </output>
      <DismissButton />
      <div className="stack gap-2 call-question__answers">
        {CALL_OUTCOMES.map((outcome) => (
          <Button key={outcome} variant="quiet" onClick={() => answer(outcome)}>
            {CONTACTS[outcome].label}
          </Button>
        ))}
      </div>
    </section>
  );
}

function ProposeNext({ purchase, outcome }: { purchase: PurchasedLead; outcome: ContactOutcome }) {
  const { now } = useClock();
  const { change } = usePurchaseChange(purchase.id);
  const next = proposeNextAction(outcome, purchase.salesStage, now);
  if (!next) return null;
  const set = () => {
    void change({ nextActionAt: next.at, nextActionNote: next.note });
    // End the call on tap: without a connection the server's response may be hours away.
    callTracker.end();
  };
  return (
    <section
      className="stack gap-2 call-question"
      aria-label={`After the call with ${purchase.customerName}`}
    >
      <output className="call-question__words">
        <strong>{CONTACTS[outcome].label}.</strong> Next: {next.note.toLowerCase()},{" "}
        {formatDue(next.at, now).replace(/^[TY]/, (letter) => letter.toLowerCase())}?
      </output>
      <DismissButton />
      <div className="stack gap-2 call-question__answers">
        <Button onClick={set}>Set next action</Button>
        <Button variant="quiet" onClick={() => callTracker.end()}>
          Not now
        </Button>
      </div>
    </section>
  );
}

function DismissButton() {
  return (
    <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => callTracker.end()}>
      <Icon name="close" />
    </button>
  );
}

/** Asks the question at the edge of the screen while the called lead is not open. */
export function CallFollowUp({ purchases }: { purchases: readonly PurchasedLead[] }) {
  const { call, isShownInLead } = useCall();
  const purchase = call && !isShownInLead && purchases.find(({ id }) => id === call.purchaseId);
  if (!purchase) return null;
  return (
    <div className="call-follow-up">
      <CallQuestion purchase={purchase} />
    </div>
  );
}
