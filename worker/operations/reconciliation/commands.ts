/**
 * Reconciles the exchanges, D1 and Stripe: every night, and with `npm run operate -- reconcile`. Where an exchange has a
 * record of a lead, the record wins (the exceptions are in market-rules.ts). Stripe wins on money. With `isFix` the run
 * repairs each difference. Without it, it only names them.
 */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";

import { isRegion, type Region } from "../../../contract/regions.ts";
import type { Sale } from "../../exchange/listing.ts";
import type { PauseRequest } from "../../exchange/object.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention, leadPurchases, payments } from "../../platform/db/schema.ts";
import { log } from "../../platform/log.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { cancelPayment, settlePayment } from "../../selling/payments/commands.ts";
import { forceState } from "../../selling/payments/ledger-commands.ts";
import {
  type KnownPayment,
  ledgerState,
  type LedgerRow,
  toPaymentOrder,
} from "../../selling/payments/rules.ts";
import { acceptsCards, listPayments, readPayment, stripeAccount } from "../../selling/payments/stripe.ts";
import type { Counts } from "../operator/rules.ts";
import { buildLeg, type Leg, PAGE_ROWS, type Source, type Walk } from "../region-walk/commands.ts";
import { LEDGER, OFFERS, PURCHASES, RECORDS } from "../region-walk/sources.ts";
import {
  type Found,
  markSold,
  reconcilePause,
  reconcileRecords,
  reconcileUnknown,
  signOutAfterRestore,
} from "./market-commands.ts";
import { boughtNotSold, isBeingWritten } from "./market-rules.ts";
import { countSince, findLedgerRows, isUnseen } from "./queries.ts";
import {
  chargeDifference,
  describe,
  type Difference,
  type DifferenceKind,
  MARKET_DIFFERENCES,
  missingDifference,
  paymentDifferences,
  PURCHASE_STATUS,
  purchaseDifferences,
} from "./rules.ts";

/** Maximum differences that a run names. If there are more, they usually share one cause. */
const MAX_NAMED = 100;

/** The kinds of alerts that each leg raises, and closes for rows that no longer differ. */
const ALERTS = {
  market: MARKET_DIFFERENCES,
  stripe: ["unknown_payment", "payment_state", "payment_amount", "payment_refund"],
  ledger: [
    "slot_taken",
    "paid_twice",
    "paid_without_purchase",
    "purchase_amount",
    "purchase_status",
    "payment_missing_at_stripe",
  ],
  purchases: ["purchase_without_payment", "bought_not_sold"],
} as const satisfies Record<string, readonly DifferenceKind[]>;

/** Raises the alerts that a person must see, and closes those of rows that no longer differ. */
async function updateAlerts(
  db: Db,
  kinds: readonly DifferenceKind[],
  subjectIds: readonly string[],
  found: readonly Found[],
  now: number,
): Promise<void> {
  const open = found.filter(({ difference, outcome }) => difference.advice || outcome === "skipped");
  for (const { difference } of open)
    if (difference.advice)
      await raiseAttention(db, difference.kind, difference.subjectId, textOf(difference), now);
  const left = open.map(({ difference: { kind, subjectId } }) => `${kind} ${subjectId}`);
  await db
    .update(attention)
    .set({ resolvedAt: now })
    .where(
      and(
        inArray(attention.kind, [...kinds]),
        sql`${attention.subjectId} IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))`,
        isNull(attention.resolvedAt),
        sql`${attention.kind} || ' ' || ${attention.subjectId} NOT IN (SELECT value FROM json_each(${JSON.stringify(left)}))`,
      ),
    );
}

const textOf = ({ what, advice }: Difference) => `${what} ${advice}`;

/**
 * Counts what a page had, and names its differences. With a fix, it also updates the alerts and logs each repair.
 * @param subjectIds the subjects of the page's rows
 */
async function report(
  { db, now, found: earlier }: Walk,
  isFix: boolean,
  leg: keyof typeof ALERTS,
  subjectIds: readonly string[],
  found: readonly Found[],
): Promise<Counts> {
  const counts: Counts = { looked_at: subjectIds.length, differences: found.length };
  const add = (name: string) => (counts[name] = (counts[name] ?? 0) + 1);
  for (const { difference, outcome } of found) {
    add(difference.kind);
    add(outcome);
    if (difference.advice) add("for_a_person");
    const line = describe(difference, outcome);
    if ((earlier["differences"] ?? 0) < MAX_NAMED) counts[line] = 1;
    if (isFix)
      log("warn", "difference", { kind: difference.kind, subject: difference.subjectId, outcome, line });
  }
  if (isFix) await updateAlerts(db, ALERTS[leg], subjectIds, found, now);
  return counts;
}

/** Each region's exchange, with its pause. */
const PAUSES: Source<PauseRequest | null> = {
  isRegional: true,
  async readPage({ env }, _after, region) {
    const { pause } = await withTimeout(exchangeOf(env, region)!.pulse());
    return { rows: [pause], next: null };
  },
};

/** Closes the alert that a region's exchange has lost its leads, once D1's leads are listed there again. */
async function closeLostLeadsAlert(db: Db, region: Region, now: number): Promise<void> {
  await db
    .update(attention)
    .set({ resolvedAt: now })
    .where(
      and(
        eq(attention.kind, "exchange_forgot"),
        eq(attention.subjectId, region),
        isNull(attention.resolvedAt),
      ),
    );
}

function marketLegs(isFix: boolean): Record<string, Leg> {
  return {
    pauses: buildLeg(PAUSES, async (walk, [pause], region) => {
      const found = await reconcilePause(walk, isFix, pause ?? null, region);
      return {
        ...(await report(walk, isFix, "market", [region], found)),
        ...(await signOutAfterRestore(walk, isFix, found.length > 0)),
      };
    }),
    records: buildLeg(RECORDS, async (walk, records, region) => {
      const { found, hasLost } = await reconcileRecords(walk, isFix, records, region);
      const ids = records.map(({ leadId }) => leadId);
      const queued = records.filter((record) => isBeingWritten(record, walk.now)).length;
      return {
        ...(queued > 0 && { still_being_written: queued }),
        ...(await report(walk, isFix, "market", ids, found)),
        ...(await signOutAfterRestore(walk, isFix, hasLost)),
      };
    }),
    offers: buildLeg(OFFERS, async (walk, offers, region) => {
      const unknown = offers.filter(({ state }) => state === undefined).map(({ id }) => id);
      const found = await reconcileUnknown(walk, isFix, unknown);
      if (isFix) await closeLostLeadsAlert(walk.db, region, walk.now);
      return report(walk, isFix, "market", unknown, found);
    }),
  };
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
  return report(walk, isFix, "stripe", ids, found);
}

/** Counts the payments and purchases that are too new for this run. */
const RECENT: Source<number> = {
  isRegional: false,
  readPage: async ({ db, until }) => ({ rows: [await countSince(db, until)], next: null }),
};

/** Returns whether Stripe does not know a payment missing from its list. The payment may just be older than the row. */
async function isMissingAtStripe(context: Context, row: LedgerRow): Promise<boolean> {
  const payment = await readPayment(stripeAccount(context), row.stripePaymentIntentId!, toPaymentOrder(row));
  return payment?.isMissing === true;
}

/** Repairs what the ledger alone decides: the slot of an ended payment, and its purchase's status. */
async function repairByLedger(db: Db, row: LedgerRow, kind: DifferenceKind): Promise<void> {
  const paymentStatus = PURCHASE_STATUS[row.state];
  if (kind === "slot_taken")
    await db
      .update(payments)
      .set({ slot: null })
      .where(and(eq(payments.id, row.id), eq(payments.state, row.state)));
  if (kind === "purchase_status" && paymentStatus)
    await db
      .update(leadPurchases)
      .set({ paymentStatus })
      .where(eq(leadPurchases.paymentIntentId, row.stripePaymentIntentId!));
}

type OutcomeOf = (difference: Difference) => Found;
const outcomeBy =
  (isFix: boolean): OutcomeOf =>
  (difference) => ({ difference, outcome: !difference.repair ? "left" : isFix ? "fixed" : "planned" });

function moneyLegs(isFix: boolean): Record<string, Leg> {
  const toFound = outcomeBy(isFix);
  return {
    stripe: buildLeg(STRIPE, (walk, listed) => reconcilePayments(walk, isFix, listed)),
    ledger: buildLeg(LEDGER, async (walk, page) => {
      const { env, db, began } = walk;
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
        if (isFix && difference.repair) await repairByLedger(db, row, kind);
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
    purchases: buildLeg(PURCHASES, async (walk, page) => {
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
    recent: buildLeg(RECENT, async (_, [rows = 0]): Promise<Counts> => {
      return rows > 0 ? { left_for_later_because_under_15_minutes_old: rows } : {};
    }),
  };
}

/**
 * Returns the legs of a run: first the market's, which restore purchases and ledger rows, then the money's.
 * @param region the only region to reconcile. Stripe and the ledger have no regions, so their legs are then left out
 */
export function reconciliationLegs(isFix: boolean, region: Region | null): Record<string, Leg> {
  return region ? marketLegs(isFix) : { ...marketLegs(isFix), ...moneyLegs(isFix) };
}
