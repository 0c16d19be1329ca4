import { and, asc, count, eq, gt, gte, inArray, lt, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Region } from "../../../contract/regions.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import type { ListingRecord } from "../../exchange/listing.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { attention } from "../../platform/db/messages.ts";
import { payments } from "../../platform/db/payments.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { withTimeout } from "../../platform/timeout.ts";
import type { KnownPayment } from "../../selling/payments/rules.ts";
import { acceptsCards, listPayments, stripeAccount } from "../../selling/payments/stripe.ts";
import type { D1Facts, KnownLead } from "./market-rules.ts";
import { LOSSES } from "./rules.ts";
import { PAGE_ROWS, type ReadPage, type RowPlace, type WalkedPage } from "./walk-commands.ts";

/** A page of rows created in a period (epoch ms), ordered by creation time and id, after a cursor. */
type DatedPage = { since: number; until: number; after: RowPlace | null; limit: number };

/** Matches the rows of a page. */
function isOn({ since, until, after }: DatedPage, createdAt: SQLiteColumn, id: SQLiteColumn) {
  return and(
    gte(createdAt, after?.createdAt ?? since),
    lt(createdAt, until),
    after ? or(gt(createdAt, after.createdAt), gt(id, after.id)) : undefined,
  );
}

/** Returns a page of the leads that D1 offers in a region, after a cursor. */
function readOfferedPage(db: Db, region: Region, after: RowPlace | null, limit: number) {
  return db
    .select({ id: leads.id, createdAt: leads.createdAt })
    .from(leads)
    .where(
      and(
        sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`,
        eq(leads.region, region),
        isOn({ since: 0, until: Number.MAX_SAFE_INTEGER, after, limit }, leads.createdAt, leads.id),
      ),
    )
    .orderBy(asc(leads.createdAt), asc(leads.id))
    .limit(limit);
}

/**
 * Returns a page of the ledger with the purchase that each row paid for. `paidTwice`: whether another payment for the
 * same lead also succeeded.
 */
function readLedgerPage(db: Db, page: DatedPage) {
  return db
    .select({
      id: payments.id,
      createdAt: payments.createdAt,
      row: payments,
      purchase: {
        id: leadPurchases.id,
        amountPaidCents: leadPurchases.amountPaidCents,
        paymentStatus: leadPurchases.paymentStatus,
      },
      // The plus keeps SQLite from using the index on state: nearly all payments have this state.
      paidTwice: sql<number>`EXISTS (SELECT 1 FROM payments AS other WHERE other.lead_id = ${payments.leadId}
        AND other.id <> ${payments.id} AND +other.state = 'succeeded')`,
    })
    .from(payments)
    .leftJoin(leadPurchases, eq(leadPurchases.paymentIntentId, payments.stripePaymentIntentId))
    .where(isOn(page, payments.createdAt, payments.id))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(page.limit);
}

/** Returns a page of purchases of traded leads, with each lead's region and status and each payment's state. */
function readTradedPage(db: Db, page: DatedPage) {
  return db
    .select({
      id: leadPurchases.id,
      createdAt: leadPurchases.purchasedAt,
      leadId: leadPurchases.leadId,
      region: leads.region,
      mode: leadPurchases.mode,
      amountPaidCents: leadPurchases.amountPaidCents,
      paymentState: payments.state,
      leadStatus: leads.status,
    })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .leftJoin(payments, eq(payments.stripePaymentIntentId, leadPurchases.paymentIntentId))
    .where(
      and(
        // Matches the condition of the partial index.
        sql`${leadPurchases.mode} <> 'manual'`,
        isOn(page, leadPurchases.purchasedAt, leadPurchases.id),
      ),
    )
    .orderBy(asc(leadPurchases.purchasedAt), asc(leadPurchases.id))
    .limit(page.limit);
}

export function findLedgerRows(db: Db, intentIds: string[]) {
  return db
    .select()
    .from(payments)
    .where(
      sql`${payments.stripePaymentIntentId} IN (SELECT value FROM json_each(${JSON.stringify(intentIds)}))`,
    );
}

/** Returns whether Stripe's list has not included this row's payment since the run began. */
export function isUnseen(
  row: { seenAtStripeAt: number | null; stripePaymentIntentId: string | null },
  began: number,
) {
  return row.stripePaymentIntentId !== null && (row.seenAtStripeAt ?? 0) < began;
}

/** Counts the payments and traded purchases since a time (epoch ms). */
async function countSince(db: Db, since: number): Promise<number> {
  const [[paid], [bought]] = await db.batch([
    db.select({ rows: count() }).from(payments).where(gte(payments.createdAt, since)),
    db
      .select({ rows: count() })
      .from(leadPurchases)
      // Matches the condition of the partial index.
      .where(and(gte(leadPurchases.purchasedAt, since), sql`${leadPurchases.mode} <> 'manual'`)),
  ]);
  return paid!.rows + bought!.rows;
}

// Reads what D1 knows about the leads of an exchange's records.

const LEAD = {
  id: leads.id,
  region: leads.region,
  generation: leads.generation,
  status: leads.status,
  listingState: leads.listingState,
  exchangeVersion: leads.exchangeVersion,
  priceCents: leads.priceCents,
  expiresAt: leads.expiresAt,
  erasedAt: leads.erasedAt,
};

const PURCHASE = {
  id: leadPurchases.id,
  leadId: leadPurchases.leadId,
  buyerId: leadPurchases.buyerId,
  boughtByUserId: leadPurchases.boughtByUserId,
  mode: leadPurchases.mode,
  amountPaidCents: leadPurchases.amountPaidCents,
  purchasedAt: leadPurchases.purchasedAt,
  paymentIntentId: leadPurchases.paymentIntentId,
  removedAt: leadPurchases.removedAt,
};

/** Returns D1's facts about leads, by ID. D1 binds at most 100 values. */
async function findFacts(
  db: Db,
  leadIds: readonly string[],
  buyerIds: readonly string[],
): Promise<(leadId: string, buyerId: string | null) => D1Facts> {
  const ids = [...leadIds];
  const [leadRows, purchases, ledger, buyers, losses] = await db.batch([
    db.select(LEAD).from(leads).where(inArray(leads.id, ids)),
    db.select(PURCHASE).from(leadPurchases).where(inArray(leadPurchases.leadId, ids)),
    db
      .select({ leadId: payments.leadId, id: payments.stripePaymentIntentId, state: payments.state })
      .from(payments)
      .where(inArray(payments.leadId, ids)),
    db
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, [...buyerIds])),
    db
      .select({ leadId: attention.subjectId, resolvedAt: attention.resolvedAt })
      .from(attention)
      .where(and(inArray(attention.kind, [...LOSSES]), inArray(attention.subjectId, ids))),
  ]);
  const leadOf = new Map(leadRows.map((row) => [row.id, row]));
  const knownBuyers = new Set(buyers.map(({ id }) => id));
  const lossAlertOf = (leadId: string) => {
    const loss = losses.find((one) => one.leadId === leadId);
    return loss ? (loss.resolvedAt === null ? "open" : "resolved") : null;
  };
  return (leadId, buyerId) => ({
    lead: leadOf.get(leadId) ?? null,
    purchases: purchases.filter((purchase) => purchase.leadId === leadId),
    payments: ledger.filter((payment) => payment.leadId === leadId),
    hasBuyer: buyerId !== null && knownBuyers.has(buyerId),
    lossAlert: lossAlertOf(leadId),
  });
}

export type RecordWithFacts = { record: ListingRecord; facts: D1Facts };

const buyerOf = ({ sale }: ListingRecord) => sale?.businessId ?? null;

/** Returns each record with D1's facts about its lead. */
export async function withFacts(db: Db, records: readonly ListingRecord[]): Promise<RecordWithFacts[]> {
  const ids = records.map(({ leadId }) => leadId);
  const factsOf = await findFacts(
    db,
    ids,
    records.flatMap((record) => buyerOf(record) ?? []),
  );
  return records.map((record) => ({ record, facts: factsOf(record.leadId, buyerOf(record)) }));
}

type LeadWithFacts = { lead: KnownLead; facts: D1Facts };

/** Returns leads that no exchange knows, with D1's other facts about each. */
export async function findUnknownLeads(db: Db, ids: readonly string[]): Promise<LeadWithFacts[]> {
  const factsOf = await findFacts(db, ids, []);
  return ids.flatMap((id) => {
    const facts = factsOf(id, null);
    return facts.lead ? [{ lead: facts.lead, facts }] : [];
  });
}

// The rows that a reconciliation visits, page by page.

/** Returns a page of D1's rows and where the next page starts. */
function pageOf<Row extends { createdAt: number; id: string }>(rows: Row[]): WalkedPage<Row> {
  const last = rows.length === PAGE_ROWS ? rows.at(-1)! : null;
  return { rows, next: last && { createdAt: last.createdAt, id: last.id } };
}

/** An exchange's records since the run's start, by lead ID. */
export const recordsIn =
  (region: Region): ReadPage<ListingRecord> =>
  async ({ env, since }, after) => {
    const query = { since, after: after?.id ?? null, limit: PAGE_ROWS };
    const { records, next } = await withTimeout(exchangeOf(env, region)!.pageRecords(query));
    return { rows: records, next: next === null ? null : { createdAt: 0, id: next } };
  };

/** The leads that D1 offers in a region. `isKnown`: whether its exchange knows them. */
export const offersIn =
  (region: Region): ReadPage<{ id: string; isKnown: boolean }> =>
  async ({ env, db }, after) => {
    // Reads D1 first. D1 offers a lead only after its exchange has listed it, so the age of a lead does not matter.
    const { rows, next } = pageOf(await readOfferedPage(db, region, after, PAGE_ROWS));
    const ids = rows.map(({ id }) => id);
    const records = ids.length > 0 ? await withTimeout(exchangeOf(env, region)!.recordsOf(ids)) : [];
    const known = new Set(records.map(({ leadId }) => leadId));
    return { rows: ids.map((id) => ({ id, isKnown: known.has(id) })), next };
  };

/** Reads Stripe's list of our payments. The list is empty if the Worker does not take cards. */
export const readStripe: ReadPage<KnownPayment> = async ({ env, since, until }, after) => {
  if (!acceptsCards(env)) return { rows: [], next: null };
  const period = { since, until, after: after?.id ?? null, limit: PAGE_ROWS };
  const { payments: rows, next } = await listPayments(stripeAccount(env), period);
  return { rows, next: next ? { createdAt: 0, id: next } : null };
};

const fromD1 =
  <Row extends { createdAt: number; id: string }>(
    readRows: (db: Db, page: DatedPage) => Promise<Row[]>,
  ): ReadPage<Row> =>
  async ({ db, since, until }, after) =>
    pageOf(await readRows(db, { since, until, after, limit: PAGE_ROWS }));

/** Reads the ledger since the run's start, each row with the purchase it paid for. */
export const readLedger = fromD1(readLedgerPage);

/** Reads purchases of traded leads since the run's start, with their payments and leads. */
export const readPurchases = fromD1(readTradedPage);

/** Reads the number of payments and purchases that are too new for this run. */
export const readRecent: ReadPage<number> = async ({ db, until }) => ({
  rows: [await countSince(db, until)],
  next: null,
});
