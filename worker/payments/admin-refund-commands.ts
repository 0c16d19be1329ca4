import { and, eq, isNotNull, sql } from "drizzle-orm";

import type { RefundAnswer } from "../../contract/payments.ts";
import type { Act } from "../audit/act.ts";
import { auditWhen } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { payments } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { noteWhen } from "../providers/note-commands.ts";
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
      ? "The cardholder disputes this payment: answer the dispute in Stripe's dashboard."
      : "Nothing was paid with it.",
  );
}

/** Owes a payment, says who decided so and why: one batch, and none of it for a payment that is owed already. */
async function owe(db: Db, row: LedgerRow, reason: string, act: Act): Promise<void> {
  const { id, buyerId, leadId, amountCents, refundedCents } = row;
  const { actor, now: at, requestId } = act;
  const isPaid = and(
    eq(payments.id, id),
    eq(payments.state, "succeeded"),
    isNotNull(payments.stripePaymentIntentId),
  )!;
  const isNews = sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${isPaid})`;
  await db.batch([
    auditWhen(db, isNews, actor, {
      at,
      action: "payment.refund",
      subjectType: "payment",
      subjectId: id,
      before: { state: "succeeded", refundedCents },
      after: { state: "refund_pending", amountCents, leadId },
      requestId,
    }),
    noteWhen(db, isNews, { providerId: buyerId, kind: "refund", text: reason, subjectId: id }, act),
    db.update(payments).set({ state: "refund_pending", updatedAt: at }).where(isPaid),
  ]);
}

/**
 * Pays a payment back because a super admin decided so, whole, whatever went back before. From the decision on
 * it is owed: should Stripe not answer, the sweep goes on trying. The lead stays sold, and its purchase shows
 * that it was paid back. Asking again pays nothing twice.
 * @param reason is kept with the provider's notes; it may speak of people, so the log does not have it
 * @throws DomainError not_found, not_refundable; payments_unavailable where Stripe is not set up
 */
export async function refundByAdmin(env: Env, id: string, reason: string, act: Act): Promise<RefundAnswer> {
  const db = database(env.DB);
  const row = await findLedgerRow(db, id);
  if (!row) throw new DomainError("not_found", "There is no such payment");
  requireRefundable(row);
  // Nothing is owed that nobody could pay back.
  stripeAccount(env);
  if (row.state === "succeeded") await owe(db, row, reason, act);
  const isDone = await refundOwed(env, row.stripePaymentIntentId!, act.now);
  // Stripe may know of a dispute that we had not heard of.
  requireRefundable((await findLedgerRow(db, id)) ?? row);
  return { state: isDone ? "refunded" : "refund_pending" };
}
