import { and, eq, inArray, isNotNull } from "drizzle-orm";

import { MINUTE_MS } from "../../../contract/durations.ts";
import { centsToText, formatCents } from "../../../contract/money.ts";
import type { RefundResult } from "../../../contract/payments.ts";
import { sendCommand } from "../../exchange/exchange-calls.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { storeNote } from "../../identity/providers/commands.ts";
import { notifyRoom, roomOf } from "../../live/room.ts";
import { raiseAttention } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, ignoreIfChanged } from "../../platform/db/guarded-batch.ts";
import { attention } from "../../platform/db/messages.ts";
import { payments } from "../../platform/db/payments.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import {
  abandonRow,
  claimRefund,
  findOwedRefund,
  findRefundedRow,
  hasEnded,
  recordBankWithdrawal,
  recordRefunded,
  recordRefundFailed,
  recordUndoneRefund,
} from "./ledger-commands.ts";
import { findLedgerRow, purchaseOfPayment } from "./queries.ts";
import type { LedgerRow } from "./rules.ts";
import { isWithdrawnByBank, refundOnce, stripeAccount, sumRefunds } from "./stripe.ts";

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

/** @throws DomainError not_refundable */
function requireRefundable({ state }: LedgerRow): void {
  if (state === "succeeded" || state === "refund_pending" || state === "refunded") return;
  throw new DomainError(
    "not_refundable",
    state === "disputed"
      ? "The cardholder has disputed this payment. Respond in the Stripe dashboard."
      : "This payment hasn't gone through.",
  );
}

/**
 * Marks a payment as owed and records the admin and the reason, in one batch. Does not change a payment that is
 * already owed.
 */
async function markRefundOwed(db: Db, row: LedgerRow, reason: string, act: Act): Promise<void> {
  const { id, buyerId, leadId, amountCents, refundedCents } = row;
  const { actor, now: at, requestId } = act;
  const isPaid = and(
    eq(payments.id, id),
    eq(payments.state, "succeeded"),
    isNotNull(payments.stripePaymentIntentId),
  );
  const batch = guardedBatch(db, { from: payments, where: isPaid }, [
    auditEntry(db, actor, {
      at,
      action: "payment.refund",
      subjectType: "payment",
      subjectId: id,
      before: { state: "succeeded", refundedCents },
      after: { state: "refund_pending", amountCents, leadId },
      requestId,
    }),
    storeNote(db, { providerId: buyerId, kind: "refund", text: reason, subjectId: id }, act),
    db.update(payments).set({ state: "refund_pending", updatedAt: at }).where(isPaid),
  ]);
  await batch.catch(ignoreIfChanged);
}

/**
 * Refunds what is left of a payment at a super admin's request. Marks the refund as owed first, so the sweep retries if
 * Stripe does not respond. The lead stays sold, and its purchase shows the refund. Safe to repeat.
 * @param reason stored in the provider's notes, not in the audit log, because it may contain personal information
 * @throws DomainError not_found, not_refundable; payments_unavailable if Stripe is not set up
 */
export async function refundByAdmin(
  context: Context,
  id: string,
  reason: string,
  act: Act,
): Promise<RefundResult> {
  const db = context.db;
  const row = await findLedgerRow(db, id);
  if (!row) throw new DomainError("not_found", "We can't find that payment. Please reload the page.");
  requireRefundable(row);
  // Throws if Stripe is not set up, before marking the payment as owed.
  stripeAccount(context);
  if (row.state === "succeeded") await markRefundOwed(db, row, reason, act);
  const isDone = await refundOwed(context, row.stripePaymentIntentId!, act.now);
  // The refund attempt may have found a dispute that was not in the ledger.
  requireRefundable((await findLedgerRow(db, id)) ?? row);
  return { state: isDone ? "refunded" : "refund_pending" };
}

// Releases a lead for a super admin if its payment does not end by itself.

/** Kinds of alerts about a stuck lead. Releasing the lead resolves them all. */
const RESOLVED_KINDS = ["release_stuck", "payment_missing"];

const holdEnded = () => new DomainError("hold_ended", "This payment no longer holds the lead.");

/**
 * Ends the hold of a payment, and returns its lead to the market. If the payment still succeeds, it is refunded like
 * any late payment.
 * @param id the payment's ID in the ledger
 * @throws DomainError not_found; hold_ended if the payment no longer holds the lead; exchange_unavailable
 */
export async function releaseByAdmin(context: Context, id: string, act: Act): Promise<void> {
  const { db } = context;
  const { actor, now: at, requestId } = act;
  const row = await findLedgerRow(db, id);
  if (!row) throw new DomainError("not_found", "We can't find that payment. Please reload the page.");
  const { leadId, holdId, region } = row;
  if (hasEnded(row.state)) throw holdEnded();
  const answer = await sendCommand(context, region, { type: "free", leadId, holdId });
  if (!answer.ok) throw holdEnded();
  await db.batch([
    abandonRow(db, holdId, "freed_by_admin", at),
    db
      .update(attention)
      .set({ resolvedAt: at })
      .where(and(eq(attention.subjectId, leadId), inArray(attention.kind, RESOLVED_KINDS))),
    auditEntry(db, actor, {
      at,
      action: "lead.freed",
      subjectType: "lead",
      subjectId: leadId,
      after: { holdId },
      requestId,
    }),
  ]);
}
