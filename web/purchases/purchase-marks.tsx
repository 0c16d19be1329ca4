import { contactPreferenceText } from "../../contract/lead-labels.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { useClock } from "../lib/clock.tsx";
import { formatMoney } from "../lib/format-money.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { isAnswerUnread } from "./answers.ts";
import { AssigneeBadge } from "./assignee.tsx";
import { CallClockMark } from "./call-clock-mark.tsx";
import { type DueState, getDueState, formatDue } from "./due-state.ts";
import type { PurchasedLead } from "./purchases.ts";
import { useHasLateChanges, useOutbox } from "./use-outbox.ts";

/**
 * Shows a purchase's badges and the customer's payment, in the list and on the board. A closed purchase shows only what
 * still matters.
 * @param isOnBoard hides the team member, because a board's card is narrow
 */
export function PurchaseMarks({
  purchase,
  isOnBoard = false,
}: {
  purchase: PurchasedLead;
  isOnBoard?: boolean;
}) {
  const { id, tries, nextActionAt, nextActionNote, customerPaymentAmount } = purchase;
  const isOpen = !isFinal(purchase);
  const preference = contactPreferenceText(purchase);
  return (
    <>
      {isAnswerUnread(purchase) && <Badge tone="warm">Wrote back</Badge>}
      <CallClockMark purchase={purchase} />
      <UnsavedMark purchaseId={id} />
      {isOpen && tries > 0 && <Badge>{tries === 1 ? "1 try" : `${tries} tries`}</Badge>}
      {isOpen && preference && <Badge>{preference}</Badge>}
      {!isOnBoard && <AssigneeBadge purchase={purchase} />}
      {isOpen && nextActionAt !== null && <DueBadge nextActionAt={nextActionAt} note={nextActionNote} />}
      {customerPaymentAmount !== null && (
        <span className="row__money">{formatMoney(customerPaymentAmount)}</span>
      )}
    </>
  );
}

function UnsavedMark({ purchaseId }: { purchaseId: string }) {
  const hasLateChanges = useHasLateChanges(purchaseId);
  const hasUnsavedNotes = useOutbox((outbox) => outbox.hasUnsavedNotes(purchaseId), false);
  if (hasLateChanges) return <Badge tone="warm">Not saved yet</Badge>;
  return hasUnsavedNotes ? <Badge tone="warm">Unsaved notes</Badge> : null;
}

const TONES: Record<DueState, BadgeTone> = { overdue: "hot", today: "warm", later: "neutral" };

/** Shows when the next action is due, with the word "Overdue" once that time has passed. */
function DueBadge({ nextActionAt, note }: { nextActionAt: number; note: string | null }) {
  const { now } = useClock();
  const due = getDueState(nextActionAt, now);
  return (
    <Badge tone={TONES[due]}>
      {/* One element, so that a long note wraps below the time instead of beside it. */}
      <span>
        {due === "overdue" && "Overdue: "}
        {formatDue(nextActionAt, now)}
        {note && <span className="due__note"> {note}</span>}
      </span>
    </Badge>
  );
}
