/** The rows that walks visit: the exchanges' records, and D1's offers, payments and purchases. */
import type { ListingRecord, ListingState } from "../../exchange/listing.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Db } from "../../platform/db/client.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { PAGE_ROWS, type Source, type WalkedPage } from "./commands.ts";
import { type DatedPage, type Offer, readLedgerPage, readOfferedPage, readTradedPage } from "./queries.ts";

/** Returns a page of D1's rows and where the next page starts. */
function pageOf<Row extends { createdAt: number; id: string }>(rows: Row[]): WalkedPage<Row> {
  const last = rows.length === PAGE_ROWS ? rows.at(-1)! : null;
  return { rows, next: last && { createdAt: last.createdAt, id: last.id } };
}

/** Each exchange's records since the walk's start, by lead ID. */
export const RECORDS: Source<ListingRecord> = {
  isRegional: true,
  async readPage({ env, since }, after, region) {
    const query = { since, after: after?.id ?? null, limit: PAGE_ROWS };
    const { records, next } = await withTimeout(exchangeOf(env, region)!.pageRecords(query));
    return { rows: records, next: next === null ? null : { createdAt: 0, id: next } };
  },
};

/** Leads that D1 offers, each with its state at its exchange (`undefined`: the exchange does not know it). */
export const OFFERS: Source<Offer & { state: ListingState | undefined }> = {
  isRegional: true,
  async readPage({ env, db }, after, region) {
    // Reads D1 first. D1 offers a lead only after its exchange has listed it, so the age of a lead does not matter.
    const page = { since: 0, until: Number.MAX_SAFE_INTEGER, after, limit: PAGE_ROWS };
    const { rows, next } = pageOf(await readOfferedPage(db, region, page));
    const ids = rows.map(({ id }) => id);
    const states = ids.length > 0 ? await withTimeout(exchangeOf(env, region)!.statesOf(ids)) : [];
    const stateOf = new Map(states.map(({ leadId, state }) => [leadId, state]));
    return { rows: rows.map((row) => ({ ...row, state: stateOf.get(row.id) })), next };
  },
};

function d1Source<Row extends { createdAt: number; id: string }>(
  readRows: (db: Db, page: DatedPage) => Promise<Row[]>,
): Source<Row> {
  return {
    isRegional: false,
    readPage: async ({ db, since, until }, after) =>
      pageOf(await readRows(db, { since, until, after, limit: PAGE_ROWS })),
  };
}

/** The ledger since the walk's start, each row with the purchase it paid for. */
export const LEDGER = d1Source(readLedgerPage);

/** Purchases of traded leads since the walk's start, with their payments and leads. */
export const PURCHASES = d1Source(readTradedPage);
