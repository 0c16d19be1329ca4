/** The money's half of a reconciliation: Stripe wins, and the ledger decides about its purchases. */
import { and, eq, sql } from "drizzle-orm";

import { isRegion } from "../../../contract/regions.ts";
import type { Sale } from "../../exchange/listing.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import type { Context } from "../../platform/context.ts";
import { payments } from "../../platform/db/payments.ts";
import { log } from "../../platform/log.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { cancelPayment, settlePayment } from "../../selling/payments/commands.ts";
import { flagPurchase, forceState, NO_SLOT } from "../../selling/payments/ledger-commands.ts";
import {
  type KnownPayment,
  ledgerState,
  type LedgerRow,
  toPaymentOrder,
} from "../../selling/payments/rules.ts";
import { acceptsCards, readPayment, stripeAccount } from "../../selling/payments/stripe.ts";
import type { Counts } from "../operator/rules.ts";
import { markSold } from "./market-commands.ts";
import { boughtNotSold } from "./market-rules.ts";
import { findLedgerRows, isUnseen, readLedger, readPurchases, readRecent, readStripe } from "./queries.ts";
import { type Found, report } from "./report-commands.ts";
import {
  chargeDifference,
  type Difference,
  type DifferenceKind,
  missingDifference,
  paymentDifferences,
  purchaseDifferences,
} from "./rules.ts";
import { buildLeg, type Leg, type Walk } from "./walk-commands.ts";

/** Updates the exchange, purchase and ledger to what Stripe says about a payment. */
async function followStripe(context: Context, listed: KnownPayment, row: LedgerRow | null): Promise<void> {
  // No hold needs this payment any more, but the buyer could still pay it.
  const isAbandoned = listed.status === "open" && row !== null && row.slot === null;
  const payment = isAbandoned
    ? await cancelPayment(context, listed.paymentIntentId, toPaymentOrder(row))
    : listed;
  if (!payment) return;
  await settlePayment(context, payment);
  const [after] = await findLedgerRows(context.db, [payment.paymentIntentId]);
  if (!after || after.state === "refund_pending" || after.state === ledgerState(payment)) return;
  // A state that no event can undo, for example a dispute that Stripe does not know.
  const current = await readPayment(stripeAccount(context), payment.paymentIntentId, toPaymentOrder(after));
  if (current && !current.isMissing) await forceState(context.db, after, current, Date.now());
}

/** Returns the sales that the exchanges have of these leads, by lead. */
async function salesOf(
  { env }: Walk,
  rows: readonly { leadId: string; region: string }[],
): Promise<Map<string, Sale>> {
  const byRegion = Map.groupBy(rows, ({ region }) => region);
  const records = await Promise.all(
    [...byRegion].map(([region, leads]) =>
      isRegion(region)
        ? withTimeout(exchangeOf(env, region)!.recordsOf(leads.map(({ leadId }) => leadId)))
        : [],
    ),
  );
  return new Map(records.flat().flatMap(({ leadId, sale }) => (sale ? [[leadId, sale] as const] : [])));
}

async function reconcilePayments(walk: Walk, isFix: boolean, listed: KnownPayment[]): Promise<Counts> {
  const { env, db, began } = walk;
  const ids = listed.map(({ paymentIntentId }) => paymentIntentId);
  const rows = new Map((await findLedgerRows(db, ids)).map((row) => [row.stripePaymentIntentId!, row]));
  const unknown = listed.filter(({ paymentIntentId }) => !rows.has(paymentIntentId));
  const sales = await salesOf(walk, unknown);
  const found: Found[] = [];
  for (const payment of listed) {
    const { paymentIntentId } = payment;
    const row = rows.get(paymentIntentId) ?? null;
    // The market's legs restore the row of a sale.
    if (!row && sales.get(payment.leadId)?.paymentIntentId === paymentIntentId) continue;
    const differences = paymentDifferences(payment, row);
    let isFixed = isFix;
    if (isFix && row && differences.some(({ kind }) => kind === "payment_amount"))
      await db.update(payments).set({ amountCents: payment.amountCents }).where(eq(payments.id, row.id));
    if (isFix && differences.some(({ kind }) => kind !== "payment_amount"))
      await followStripe(env, payment, row).catch((error: unknown) => {
        isFixed = false;
        log("warn", "reconciliation_left", { paymentIntentId, error });
      });
    const outcome = isFixed ? "fixed" : isFix ? "left" : "planned";
    found.push(...differences.map((difference) => ({ difference, outcome }) as const));
  }
  await db
    .update(payments)
    .set({ seenAtStripeAt: began })
    .where(sql`${payments.stripePaymentIntentId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return report(walk, isFix, null, ids, found);
}

/** Returns whether Stripe does not know a payment missing from its list. The payment may just be older than the row. */
async function isMissingAtStripe(context: Context, row: LedgerRow): Promise<boolean> {
  const payment = await readPayment(stripeAccount(context), row.stripePaymentIntentId!, toPaymentOrder(row));
  return payment?.isMissing === true;
}

/** Repairs what the ledger alone decides: the slot of an ended payment, and its purchase's status. */
async function repairByLedger({ db, now }: Walk, row: LedgerRow, kind: DifferenceKind): Promise<void> {
  if (kind === "slot_taken")
    await db
      .update(payments)
      .set(NO_SLOT)
      .where(and(eq(payments.id, row.id), eq(payments.state, row.state)));
  if (kind === "purchase_status") await db.batch(flagPurchase(db, row.stripePaymentIntentId!, now));
}

const outcomeBy =
  (isFix: boolean) =>
  (difference: Difference): Found => ({
    difference,
    outcome: !difference.repair ? "left" : isFix ? "fixed" : "planned",
  });

/** Returns the legs that compare Stripe, the ledger and the purchases. */
export function moneyLegs(isFix: boolean): Record<string, Leg> {
  const toFound = outcomeBy(isFix);
  return {
    stripe: buildLeg(readStripe, (walk, listed) => reconcilePayments(walk, isFix, listed)),
    ledger: buildLeg(readLedger, async (walk, page) => {
      const { env, began } = walk;
      const differing = page.flatMap((one) => {
        const differences = purchaseDifferences(one.row, one.purchase, one.paidTwice === 1);
        return differences.map((difference) => ({ ...one, difference }));
      });
      const sales = await salesOf(
        walk,
        differing.map(({ row }) => row),
      );
      const found: Difference[] = [];
      for (const { row, purchase, difference } of differing) {
        const { kind } = difference;
        const sale = sales.get(row.leadId);
        // The exchange's record restores the purchase, or its price.
        if (kind === "paid_without_purchase" && sale?.paymentIntentId === row.stripePaymentIntentId) continue;
        if (kind === "purchase_amount" && sale && sale.amountCents !== purchase?.amountPaidCents) continue;
        found.push(difference);
        if (isFix && difference.repair) await repairByLedger(walk, row, kind);
      }
      for (const { row } of page) {
        const shouldReadStripe = acceptsCards(env) && row.state !== "cancelled" && isUnseen(row, began);
        if (shouldReadStripe && (await isMissingAtStripe(env, row))) found.push(missingDifference(row));
      }
      const subjects = page.flatMap(({ row, purchase }) => [
        row.id,
        ...(row.stripePaymentIntentId ? [row.stripePaymentIntentId] : []),
        ...(purchase ? [purchase.id] : []),
      ]);
      return report(walk, isFix, "ledger", subjects, found.map(toFound));
    }),
    purchases: buildLeg(readPurchases, async (walk, page) => {
      const unsold = page.filter(({ leadStatus }) => leadStatus !== "sold");
      const uncharged = page.flatMap((purchase) => {
        const difference = chargeDifference(purchase, purchase.paymentState);
        return difference ? [{ ...purchase, difference }] : [];
      });
      const sales = await salesOf(walk, [...unsold, ...uncharged]);
      const found: Difference[] = [];
      for (const { leadId, difference } of uncharged)
        if (!sales.get(leadId)?.paymentIntentId || isFix) found.push(difference);
      for (const { leadId, leadStatus } of unsold)
        if (!sales.has(leadId))
          found.push({ ...boughtNotSold({ id: leadId, status: leadStatus }), repair: "mark_sold" });
      if (isFix)
        await markSold(
          walk.db,
          unsold.map(({ leadId }) => leadId),
        );
      const subjects = page.flatMap(({ id, leadId }) => [id, leadId]);
      return report(walk, isFix, "purchases", subjects, found.map(toFound));
    }),
    recent: buildLeg(readRecent, async (_, [rows = 0]): Promise<Counts> => {
      return rows > 0 ? { left_for_later_because_under_15_minutes_old: rows } : {};
    }),
  };
}
