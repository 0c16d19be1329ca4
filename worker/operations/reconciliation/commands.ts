/**
 * The nightly reconciliation. It compares Stripe's list of our payments with the ledger, the purchases and the
 * exchanges. It fixes what Stripe's answer alone can decide. It reports every difference to the admins once, with
 * what to do.
 */
import { and, eq, inArray, ne, sql } from "drizzle-orm";
import * as z from "zod/mini";

import { REGION_SLUGS, type Region, regionAfter } from "../../../contract/regions.ts";
import { settledLosses } from "../comparison/queries.ts";
import { type Db, database } from "../../platform/db/client.ts";
import { leadPurchases, leads, payments } from "../../platform/db/schema.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Env } from "../../platform/env.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import { log } from "../../platform/log.ts";
import { inTime } from "../../platform/patience.ts";
import { cancelPayment, settlePayment } from "../../selling/payments/commands.ts";
import { type KnownPayment, type LedgerRow, toPaymentOrder } from "../../selling/payments/rules.ts";
import { listPayments, readPayment, takesCards, stripeAccount } from "../../selling/payments/stripe.ts";
import { isUnseen, ledgerOf, leadsAndPurchases, pageLedger, pageOffered, pageTraded } from "./queries.ts";
import {
  chargeDifferences,
  type Difference,
  missingDifference,
  offerDifferences,
  paymentDifferences,
  PURCHASE_STATUS,
  purchaseDifferences,
  recordDifferences,
  SETTLING_MS,
  statusDifferences,
} from "./rules.ts";

/** Rows of each kind per step. Stripe lists at most 100 and D1 binds at most 100 values. */
const PAGE = 50;

const placeSchema = z.nullable(z.object({ createdAt: z.int(), id: z.string() }));

/** The cursor of a run. `began`: when the run was enqueued; newer rows are left to the next run. */
const progressSchema = z.discriminatedUnion("step", [
  z.object({ step: z.literal("stripe"), after: z.nullable(z.string()) }),
  z.object({ step: z.literal("ledger"), after: placeSchema }),
  z.object({ step: z.literal("charged"), after: placeSchema }),
  z.object({ step: z.literal("sales"), region: z.enum(REGION_SLUGS), after: z.nullable(z.string()) }),
  z.object({ step: z.literal("offers"), region: z.enum(REGION_SLUGS), after: placeSchema }),
]);
type Progress = z.infer<typeof progressSchema>;

type Run = { env: Env; db: Db; since: number; until: number; began: number };
type Step = { differences: Difference[]; looked: number; next: Progress | null };

/** Updates the ledger to match Stripe. The earlier difference is still reported. */
async function followStripe(env: Env, payment: KnownPayment, row: LedgerRow | null): Promise<void> {
  // No hold needs this payment any more, but its buyer could still pay it.
  const isAbandoned = payment.status === "open" && row !== null && row.slot === null;
  const now = isAbandoned ? await cancelPayment(env, payment.paymentIntentId, toPaymentOrder(row)) : payment;
  if (now) await settlePayment(env, now);
}

async function stripeStep({ env, db, since, until, began }: Run, after: string | null): Promise<Step> {
  const { payments: listed, next } = await listPayments(stripeAccount(env), {
    since,
    until,
    after,
    limit: PAGE,
  });
  const ids = listed.map(({ paymentIntentId }) => paymentIntentId);
  const rows = new Map((await ledgerOf(db, ids)).map((row) => [row.stripePaymentIntentId!, row]));
  const differences: Difference[] = [];
  for (const payment of listed) {
    const row = rows.get(payment.paymentIntentId) ?? null;
    const found = paymentDifferences(payment, row, since);
    differences.push(...found);
    if (row && found.some(({ kind }) => kind === "payment_amount"))
      await db.update(payments).set({ amountCents: payment.amountCents }).where(eq(payments.id, row.id));
    if (found.some(({ kind }) => kind !== "payment_amount"))
      await followStripe(env, payment, row).catch((error: unknown) => {
        log("warn", "reconciliation_left", { paymentIntentId: payment.paymentIntentId, error });
      });
  }
  await db
    .update(payments)
    .set({ seenAtStripeAt: began })
    .where(sql`${payments.stripePaymentIntentId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return {
    differences,
    looked: listed.length,
    next: next ? { step: "stripe", after: next } : { step: "ledger", after: null },
  };
}

/** Whether Stripe does not know a payment missing from its list. The payment may just be older than the row. */
async function isMissingAtStripe(env: Env, row: LedgerRow): Promise<boolean> {
  const payment = await readPayment(stripeAccount(env), row.stripePaymentIntentId!, toPaymentOrder(row));
  return payment?.isMissing === true;
}

const placeOf = (row: { createdAt: number; id: string }) => ({ createdAt: row.createdAt, id: row.id });

/** Fixes what the ledger alone decides: releases the slot of an ended payment and corrects its purchase's status. */
async function putRight(db: Db, row: LedgerRow, found: readonly Difference[]): Promise<void> {
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

async function ledgerStep(run: Run, after: z.infer<typeof placeSchema>): Promise<Step> {
  const { env, db, since, until, began } = run;
  const page = await pageLedger(db, { since, until, after, limit: PAGE });
  const differences: Difference[] = [];
  for (const { row, purchase, paidTwice } of page) {
    const found = purchaseDifferences(row, purchase, paidTwice === 1, since);
    differences.push(...found);
    await putRight(db, row, found);
    const isWorthAsking = takesCards(env) && row.state !== "cancelled" && isUnseen(row, began);
    if (isWorthAsking && (await isMissingAtStripe(env, row))) differences.push(missingDifference(row));
  }
  const last = page.at(-1)?.row;
  const isFull = page.length === PAGE && last;
  return {
    differences,
    looked: page.length,
    next: isFull ? { step: "ledger", after: placeOf(last) } : { step: "charged", after: null },
  };
}

/** Marks bought leads as sold. D1 must neither offer them nor show them as withdrawn. */
async function markSold(db: Db, leadIds: string[]): Promise<void> {
  if (leadIds.length === 0) return;
  await db
    .update(leads)
    .set({ status: "sold", listingState: "closed" })
    .where(and(inArray(leads.id, leadIds), ne(leads.status, "sold")));
}

async function purchasesStep({ db, since, until }: Run, after: z.infer<typeof placeSchema>): Promise<Step> {
  const page = await pageTraded(db, { since, until, after, limit: PAGE });
  const last = page.at(-1)?.purchase;
  const isFull = page.length === PAGE && last;
  const unsold = page.flatMap(({ purchase, leadStatus }) => statusDifferences(purchase, leadStatus));
  await markSold(
    db,
    unsold.map(({ subjectId }) => subjectId),
  );
  return {
    differences: [
      ...page.flatMap(({ purchase, state }) => chargeDifferences(purchase, state, since)),
      ...unsold,
    ],
    looked: page.length,
    next: isFull
      ? { step: "charged", after: placeOf(last) }
      : { step: "sales", region: REGION_SLUGS[0]!, after: null },
  };
}

async function salesStep(run: Run, region: Region, after: string | null): Promise<Step> {
  const { env, db, since, until } = run;
  const query = { since, after, limit: PAGE };
  const { records, next } = await inTime(exchangeOf(env, region)!.pageRecords(query));
  // A recent sale may not have reached D1 yet.
  const settled = records.filter(({ sale }) => !sale || sale.soldAt < until);
  const known = await leadsAndPurchases(
    db,
    settled.map(({ leadId }) => leadId),
    settled.flatMap(({ sale }) => (sale ? [sale.purchaseId] : [])),
  );
  // An admin has resolved these losses, and they will differ permanently.
  const lost = await settledLosses(
    db,
    settled.map(({ leadId }) => leadId),
  );
  const differences = settled.flatMap((record) => {
    if (record.sale && lost.has(record.leadId)) return [];
    const purchase = record.sale ? known.purchases.get(record.sale.purchaseId) : undefined;
    return recordDifferences(region, record, known.leads.get(record.leadId), purchase, since);
  });
  const following = next === null ? regionAfter(region) : region;
  return {
    differences,
    looked: records.length,
    next: following
      ? { step: "sales", region: following, after: next }
      : { step: "offers", region: REGION_SLUGS[0]!, after: null },
  };
}

async function offersStep(run: Run, region: Region, after: z.infer<typeof placeSchema>): Promise<Step> {
  const { env, db, until } = run;
  const page = await pageOffered(db, region, { after, until, limit: PAGE });
  const ids = page.map(({ id }) => id);
  const states = ids.length > 0 ? await inTime(exchangeOf(env, region)!.statesOf(ids)) : [];
  const byId = new Map(states.map(({ leadId, state }) => [leadId, state]));
  const last = page.at(-1);
  const isFull = page.length === PAGE && last;
  const following = isFull ? region : regionAfter(region);
  return {
    differences: page.flatMap((lead) => offerDifferences(lead, byId.get(lead.id))),
    looked: page.length,
    next: following && { step: "offers", region: following, after: isFull ? placeOf(last) : null },
  };
}

function takeStep(run: Run, progress: Progress): Promise<Step> {
  switch (progress.step) {
    case "stripe":
      return stripeStep(run, progress.after);
    case "ledger":
      return ledgerStep(run, progress.after);
    case "charged":
      return purchasesStep(run, progress.after);
    case "sales":
      return salesStep(run, progress.region, progress.after);
    case "offers":
      return offersStep(run, progress.region, progress.after);
  }
}

/**
 * Takes steps until a page's worth of rows is checked or nothing is left. Skips over empty steps, such as quiet
 * regions.
 */
async function takeSteps(run: Run, first: Progress): Promise<Step> {
  let taken = await takeStep(run, first);
  while (taken.next && taken.looked < PAGE) {
    const more = await takeStep(run, taken.next);
    taken = {
      differences: [...taken.differences, ...more.differences],
      looked: taken.looked + more.looked,
      next: more.next,
    };
  }
  return taken;
}

/**
 * Checks about one page of rows created since `since`.
 * @param job the run: when it was enqueued, and its progress
 * @returns the next progress (null when all is checked), and the count of differences of each kind
 * @throws Stripe's, an exchange's or D1's error; the caller may retry the same page
 */
export async function reconcilePage(
  env: Env,
  since: number,
  job: { createdAt: number; progress: unknown },
  now: number,
): Promise<{ progress: Progress | null; counts: Record<string, number> }> {
  const db = database(env.DB);
  const first: Progress = takesCards(env) ? { step: "stripe", after: null } : { step: "ledger", after: null };
  const progress = job.progress === null ? first : progressSchema.parse(job.progress);
  const run = { env, db, since, until: job.createdAt - SETTLING_MS, began: job.createdAt };
  const { differences, looked, next } = await takeSteps(run, progress);
  const counts: Record<string, number> = { looked_at: looked, differences: differences.length };
  for (const { kind, subjectId, detail } of differences) {
    await raiseAttention(db, kind, subjectId, detail, now);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return { progress: next, counts };
}
