import { and, eq, isNotNull } from "drizzle-orm";

import type { RefundResult } from "../../../contract/payments.ts";
import type { Act } from "../../identity/audit/act.ts";
import { auditEntry } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, ignoreIfChanged } from "../../platform/db/guarded-batch.ts";
import { payments } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { storeNote } from "../../identity/providers/note-commands.ts";
import { findLedgerRow } from "./queries.ts";
import { refundOwed } from "./refund-commands.ts";
import type { LedgerRow } from "./rules.ts";
import { stripeAccount } from "./stripe.ts";

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
