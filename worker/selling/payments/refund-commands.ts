import { MINUTE_MS } from "../../../contract/durations.ts";
import { centsToText, formatCents } from "../../../contract/money.ts";
import { roomOf } from "../../live/room.ts";
import type { Context } from "../../platform/context.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import { notifyRoom } from "../../live/room.ts";
import {
  claimRefund,
  findRefundedRow,
  recordRefunded,
  recordRefundFailed,
  recordUndoneRefund,
  recordBankWithdrawal,
  findOwedRefund,
} from "./ledger-commands.ts";
import { purchaseOfPayment } from "./queries.ts";
import type { LedgerRow } from "./rules.ts";
import { isWithdrawnByBank, sumRefunds, refundOnce, stripeAccount } from "./stripe.ts";
import { log } from "../../platform/log.ts";

/** A refund that fails for this long raises an alert to the admins. */
const ALERT_AFTER_MS = 10 * MINUTE_MS;

/**
 * Notifies the buyer's open windows of a refund. If the payment has a purchase, sends the changed purchase. Otherwise
 * sends the refund. A buyer without an open window sees the refund in the receipts.
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
 * Checks for an undone refund when the ledger shows a payment as refunded but Stripe does not. A refund can fail days
 * later. Relies on Stripe's list of refunds, because the reading may be older than the refund.
 * @param state the payment's state without that refund
 * @returns whether the refund was undone; if so, the ledger is updated
 */
export async function detectUndoneRefund(
  context: Context,
  intentId: string,
  state: "refund_pending" | "succeeded" | "disputed",
  now: number,
): Promise<boolean> {
  const db = context.db;
  const row = await findRefundedRow(db, intentId);
  if (!row) return false;
  const refundedCents = await sumRefunds(stripeAccount(context), intentId);
  if (refundedCents >= row.refundedCents) return false;
  log("error", "refund_came_back", { intentId });
  await recordUndoneRefund(db, intentId, { state, refundedCents, now });
  // The sweep retries a refund that is still owed. Any other refund was an admin's decision, so alert the admins.
  if (state === "succeeded")
    await raiseAttention(db, "refund_came_back", row.id, `The refund of ${intentId} was returned`, now);
  return true;
}

/**
 * Refunds a payment that the ledger marks as owed. A failed refund stays owed, and the sweep retries it. If the card's
 * bank has withdrawn the payment in a dispute, the bank decides.
 * @returns whether the debt is settled
 */
export async function refundOwed(context: Context, intentId: string, now: number): Promise<boolean> {
  const db = context.db;
  const row = await findOwedRefund(db, intentId);
  if (!row) return true;
  const attemptKey = await claimRefund(db, row, now);
  if (!attemptKey) return false;
  try {
    const refundedCents = await refundOnce(stripeAccount(context), intentId, row.amountCents, attemptKey);
    await recordRefunded(db, { id: row.id, intentId }, refundedCents, now);
    await notifyRefunded(context, row, intentId, refundedCents);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (isWithdrawnByBank(error)) {
      await recordBankWithdrawal(db, { id: row.id, intentId }, message, now);
      const detail = `We owe ${formatCents(row.amountCents)} back for payment ${intentId}, but the card's bank took it in a dispute. Accept the dispute in the Stripe dashboard, so that the buyer gets the money.`;
      await raiseAttention(db, "refund_failed", row.id, detail, now);
      return true;
    }
    log("warn", "refund_retry", { paymentId: row.id, error });
    await recordRefundFailed(db, row.id, message);
    if (now - row.createdAt >= ALERT_AFTER_MS)
      await raiseAttention(db, "refund_failed", row.id, message, now);
    return false;
  }
}
