/**
 * The nightly reconciliation. It compares Stripe's list of our payments with the ledger, the purchases and the
 * exchanges. It fixes differences that Stripe's data alone can decide. It reports every difference to the admins
 * once, with advice.
 */
import { and, eq, inArray, ne, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, payments } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import { log } from "../../platform/log.ts";
import { cancelPayment, settlePayment } from "../../selling/payments/commands.ts";
import { type KnownPayment, type LedgerRow, toPaymentOrder } from "../../selling/payments/rules.ts";
import { listPayments, readPayment, acceptsCards, stripeAccount } from "../../selling/payments/stripe.ts";
import type { Counts } from "../operator/rules.ts";
import { buildLeg, PAGE_ROWS, type Source, type Walk } from "../region-walk/commands.ts";
import { findKnown } from "../region-walk/queries.ts";
import { LEDGER, OFFERS, PURCHASES, RECORDS } from "../region-walk/sources.ts";
import { isUnseen, findLedgerRows } from "./queries.ts";
import {
  chargeDifferences,
  type Difference,
  missingDifference,
  offerDifferences,
  paymentDifferences,
  PURCHASE_STATUS,
  purchaseDifferences,
  recordDifferences,
  statusDifferences,
} from "./rules.ts";

/** Raises an alert for each difference. @returns the number of rows checked, and of differences of each kind */
async function report(
  { db, now }: Walk,
  rows: readonly unknown[],
  differences: Difference[],
): Promise<Counts> {
  const counts: Counts = { looked_at: rows.length, differences: differences.length };
  for (const { kind, subjectId, detail } of differences) {
    await raiseAttention(db, kind, subjectId, detail, now);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Updates the ledger to match Stripe. The report still contains the difference found before the update. */
async function syncWithStripe(context: Context, payment: KnownPayment, row: LedgerRow | null): Promise<void> {
  // No hold needs this payment any more, but the buyer could still pay it.
  const isAbandoned = payment.status === "open" && row !== null && row.slot === null;
  const now = isAbandoned
    ? await cancelPayment(context, payment.paymentIntentId, toPaymentOrder(row))
    : payment;
  if (now) await settlePayment(context, now);
}

/** Reads Stripe's list of our payments. The list is empty if the Worker does not take cards. */
const STRIPE: Source<KnownPayment> = {
  isRegional: false,
  async readPage({ env, since, until }, after) {
    if (!acceptsCards(env)) return { rows: [], next: null };
    const period = { since, until, after: after?.id ?? null, limit: PAGE_ROWS };
    const { payments: rows, next } = await listPayments(stripeAccount(env), period);
    return { rows, next: next ? { createdAt: 0, id: next } : null };
  },
};

async function reconcilePayments(walk: Walk, listed: KnownPayment[]): Promise<Counts> {
  const { env, db, since, began } = walk;
  const ids = listed.map(({ paymentIntentId }) => paymentIntentId);
  const rows = new Map((await findLedgerRows(db, ids)).map((row) => [row.stripePaymentIntentId!, row]));
  const differences: Difference[] = [];
  for (const payment of listed) {
    const row = rows.get(payment.paymentIntentId) ?? null;
    const found = paymentDifferences(payment, row, since);
    differences.push(...found);
    if (row && found.some(({ kind }) => kind === "payment_amount"))
      await db.update(payments).set({ amountCents: payment.amountCents }).where(eq(payments.id, row.id));
    if (found.some(({ kind }) => kind !== "payment_amount"))
      await syncWithStripe(env, payment, row).catch((error: unknown) => {
        log("warn", "reconciliation_left", { paymentIntentId: payment.paymentIntentId, error });
      });
  }
  await db
    .update(payments)
    .set({ seenAtStripeAt: began })
    .where(sql`${payments.stripePaymentIntentId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return report(walk, listed, differences);
}

/**
 * Returns whether Stripe does not know a payment missing from its list. The payment may just be older than the row.
 */
async function isMissingAtStripe(context: Context, row: LedgerRow): Promise<boolean> {
  const payment = await readPayment(stripeAccount(context), row.stripePaymentIntentId!, toPaymentOrder(row));
  return payment?.isMissing === true;
}

/**
 * Fixes differences that the ledger alone decides: releases the slot of an ended payment and corrects its purchase's
 * status.
 */
async function fixDifferences(db: Db, row: LedgerRow, found: readonly Difference[]): Promise<void> {
  const kinds = new Set(found.map(({ kind }) => kind));
  if (kinds.has("slot_taken"))
    await db
      .update(payments)
      .set({ slot: null })
      .where(and(eq(payments.id, row.id), eq(payments.state, row.state)));
  const paymentStatus = PURCHASE_STATUS[row.state];
  if (kinds.has("purchase_status") && paymentStatus)
    await db
      .update(leadPurchases)
      .set({ paymentStatus })
      .where(eq(leadPurchases.paymentIntentId, row.stripePaymentIntentId!));
}

/** Marks bought leads as sold, so that D1 neither offers them nor shows them as withdrawn. */
async function markSold(db: Db, leadIds: string[]): Promise<void> {
  if (leadIds.length === 0) return;
  await db
    .update(leads)
    .set({ status: "sold", listingState: "closed" })
    .where(and(inArray(leads.id, leadIds), ne(leads.status, "sold")));
}

/** Compares Stripe, the ledger, the purchases and the exchanges. Rows newer than `until` wait for the next run. */
export const RECONCILIATION = {
  stripe: buildLeg(STRIPE, reconcilePayments),
  ledger: buildLeg(LEDGER, async (walk, page) => {
    const { env, db, since, began } = walk;
    const differences: Difference[] = [];
    for (const { row, purchase, paidTwice } of page) {
      const found = purchaseDifferences(row, purchase, paidTwice === 1, since);
      differences.push(...found);
      await fixDifferences(db, row, found);
      const shouldReadStripe = acceptsCards(env) && row.state !== "cancelled" && isUnseen(row, began);
      if (shouldReadStripe && (await isMissingAtStripe(env, row))) differences.push(missingDifference(row));
    }
    return report(walk, page, differences);
  }),
  purchases: buildLeg(PURCHASES, async (walk, page) => {
    const unsold = page.flatMap((purchase) => statusDifferences(purchase, purchase.leadStatus));
    await markSold(
      walk.db,
      unsold.map(({ subjectId }) => subjectId),
    );
    const uncharged = page.flatMap((purchase) =>
      chargeDifferences(purchase, purchase.paymentState, walk.since),
    );
    return report(walk, page, [...uncharged, ...unsold]);
  }),
  sales: buildLeg(RECORDS, async (walk, records, region) => {
    // A recent sale may not have reached D1 yet.
    const settled = records.filter(({ sale }) => !sale || sale.soldAt < walk.until);
    const known = await findKnown(walk.db, settled);
    const differences = settled.flatMap((record) => {
      // An admin has resolved these losses. They will always differ.
      if (record.sale && known.losses.has(record.leadId)) return [];
      const purchase = record.sale ? known.purchases.get(record.sale.purchaseId) : undefined;
      return recordDifferences(region, record, known.leads.get(record.leadId), purchase, walk.since);
    });
    return report(walk, records, differences);
  }),
  offers: buildLeg(OFFERS, (walk, offers) =>
    report(
      walk,
      offers,
      offers.flatMap((offer) => offerDifferences(offer, offer.state)),
    ),
  ),
};
