import { MINUTE_MS } from "../../../contract/durations.ts";
import { centsToText, formatCents } from "../../../contract/money.ts";
import { roomOf } from "../../live/room.ts";
import type { Context } from "../../platform/context.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import { notifyRoom } from "../../live/room.ts";
import {
  claimRefund,
  notedAsRefunded,
  noteRefunded,
  noteRefundFailed,
  noteRefundUndone,
  noteWithBank,
  owedRefund,
} from "./ledger-commands.ts";
import { purchaseOfPayment } from "./queries.ts";
import type { LedgerRow } from "./rules.ts";
import { isWithBank, refundedSum, refundOnce, stripeAccount } from "./stripe.ts";
import { log } from "../../platform/log.ts";

/** After failing for this long, a refund is shown to the admins. */
const ALARMING_MS = 10 * MINUTE_MS;

/**
 * Notifies the buyer's open windows of a refund. A buyer without a window finds it among the receipts. A buyer who
 * has the lead is notified of the changed purchase. A buyer without it is notified of the refund.
 */
async function notifyRefunded(
  context: Context,
  { buyerId, leadId }: LedgerRow,
  intentId: string,
  refundedCents: number,
): Promise<void> {
  try {
    const purchase = await purchaseOfPayment(context.db, intentId);
    if (purchase) return await notifyRoom(context, { businessId: buyerId, userId: "" }, purchase.id);
    const amount = centsToText(refundedCents);
    await roomOf(context, buyerId).notify({ type: "payment_refunded", leadId, amount });
  } catch (error) {
    log("warn", "room_unreachable", { error });
  }
}

/**
 * Checks a payment that the ledger has as refunded and Stripe does not: a refund can fail days later. Stripe's
 * list of refunds decides. The reading does not, because it may be older than the refund.
 * @param state the payment's state without that refund
 * @returns whether the refund was undone; the ledger then records it
 */
export async function noticeUndoneRefund(
  context: Context,
  intentId: string,
  state: "refund_pending" | "succeeded" | "disputed",
  now: number,
): Promise<boolean> {
  const db = context.db;
  const row = await notedAsRefunded(db, intentId);
  if (!row) return false;
  const refundedCents = await refundedSum(stripeAccount(context), intentId);
  if (refundedCents >= row.refundedCents) return false;
  log("error", "refund_came_back", { intentId });
  await noteRefundUndone(db, intentId, { state, refundedCents, now });
  // The sweep retries a refund we owe. An admin decides again about a refund that an admin made.
  if (state === "succeeded")
    await raiseAttention(db, "refund_came_back", row.id, `The refund of ${intentId} came back`, now);
  return true;
}

/**
 * Refunds a payment that the ledger says we owe. A failed refund stays owed and the sweep retries it. If the
 * card's bank has taken the payment in a dispute, the bank decides.
 * @returns whether nothing is owed any more
 */
export async function refundOwed(context: Context, intentId: string, now: number): Promise<boolean> {
  const db = context.db;
  const row = await owedRefund(db, intentId);
  if (!row) return true;
  const attemptKey = await claimRefund(db, row, now);
  if (!attemptKey) return false;
  try {
    const refundedCents = await refundOnce(stripeAccount(context), intentId, row.amountCents, attemptKey);
    await noteRefunded(db, { id: row.id, intentId }, refundedCents, now);
    await notifyRefunded(context, row, intentId, refundedCents);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (isWithBank(error)) {
      await noteWithBank(db, { id: row.id, intentId }, message, now);
      const detail = `We owe ${formatCents(row.amountCents)} back for payment ${intentId}, and the card's bank has taken it in a dispute. Accept the dispute in Stripe's dashboard, so that the buyer gets it.`;
      await raiseAttention(db, "refund_failed", row.id, detail, now);
      return true;
    }
    log("warn", "refund_retry", { paymentId: row.id, error });
    await noteRefundFailed(db, row.id, message);
    if (now - row.createdAt >= ALARMING_MS) await raiseAttention(db, "refund_failed", row.id, message, now);
    return false;
  }
}
