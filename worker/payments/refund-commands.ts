import { MINUTE_MS } from "../../contract/durations.ts";
import { centsToText, formatCents } from "../../contract/money.ts";
import { database } from "../db/client.ts";
import { roomOf } from "../live/room.ts";
import type { Env } from "../env.ts";
import { raiseAttention } from "../outbox/attention-commands.ts";
import { notifyRoom } from "../live/room.ts";
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
import { log } from "../log.ts";

/** A refund that could not be made for this long is shown to the admins. */
const ALARMING_MS = 10 * MINUTE_MS;

/**
 * Tells the buyer's open windows; those who are away find it among their receipts. Who has the lead hears that
 * their purchase changed, who does not that the money comes back.
 */
async function tellRefunded(
  env: Env,
  { buyerId, leadId }: LedgerRow,
  intentId: string,
  refundedCents: number,
): Promise<void> {
  try {
    const purchase = await purchaseOfPayment(database(env.DB), intentId);
    if (purchase) return await notifyRoom(env, { businessId: buyerId, userId: "" }, purchase.id);
    const amount = centsToText(refundedCents);
    await roomOf(env, buyerId).notify({ type: "payment_refunded", leadId, amount });
  } catch (error) {
    log("warn", "room_unreachable", { error });
  }
}

/**
 * Looks into a payment that Stripe says was not paid back and our ledger says was: a refund can come back
 * days later. Stripe's list of refunds decides, not the reading, which may be older than the refund.
 * @param state what the payment is without that refund
 * @returns whether the refund came back, which the ledger knows now
 */
export async function noticeUndoneRefund(
  env: Env,
  intentId: string,
  state: "refund_pending" | "succeeded" | "disputed",
  now: number,
): Promise<boolean> {
  const db = database(env.DB);
  const row = await notedAsRefunded(db, intentId);
  if (!row) return false;
  const refundedCents = await refundedSum(stripeAccount(env), intentId);
  if (refundedCents >= row.refundedCents) return false;
  log("error", "refund_came_back", { intentId });
  await noteRefundUndone(db, intentId, { state, refundedCents, now });
  // What is owed is made anew by itself; what a person decided, a person decides again.
  if (state === "succeeded")
    await raiseAttention(db, "refund_came_back", row.id, `The refund of ${intentId} came back`, now);
  return true;
}

/**
 * Pays back a payment that the ledger says we owe. What fails stays owed and is tried again by the sweep;
 * what is with the card's bank is the bank's to decide about.
 * @returns whether nothing is owed any more
 */
export async function refundOwed(env: Env, intentId: string, now: number): Promise<boolean> {
  const db = database(env.DB);
  const row = await owedRefund(db, intentId);
  if (!row) return true;
  const attemptKey = await claimRefund(db, row, now);
  if (!attemptKey) return false;
  try {
    const refundedCents = await refundOnce(stripeAccount(env), intentId, row.amountCents, attemptKey);
    await noteRefunded(db, { id: row.id, intentId }, refundedCents, now);
    await tellRefunded(env, row, intentId, refundedCents);
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
