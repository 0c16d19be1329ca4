/** The rows that a reconciliation visits, page by page. */
import type { Region } from "../../../contract/regions.ts";
import type { ListingRecord } from "../../exchange/listing.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Db } from "../../platform/db/client.ts";
import { withTimeout } from "../../platform/timeout.ts";
import type { KnownPayment } from "../../selling/payments/rules.ts";
import { acceptsCards, listPayments, stripeAccount } from "../../selling/payments/stripe.ts";
import { countSince, type DatedPage, readLedgerPage, readOfferedPage, readTradedPage } from "./queries.ts";
import { PAGE_ROWS, type ReadPage, type WalkedPage } from "./walk-commands.ts";

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
