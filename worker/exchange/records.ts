/** Reads and erases an exchange's records of its leads, for operators. */
import type { Departure, ListingRecord, Rescue, Sale } from "./listing.ts";
import { parse } from "./store.ts";

type RecordRow = {
  leadId: string;
  generation: number;
  version: number;
  state: string;
  priceCents: number;
  expiresAt: number;
  sale: string | null;
  departure: string | null;
  rescue: string | null;
  isErased: number;
  queuedAt: number | null;
};

export type RecordsQuery = {
  /** Epoch ms. */
  since: number;
  /** The cursor: the last lead of the previous page. */
  after: string | null;
  limit: number;
};

/** Maximum rows that one page scans, matching or not. The scan blocks purchases for a few ms. */
const MAX_SCANNED_ROWS = 2_000;

/** Sorts after every lead ID. */
const AFTER_ALL_IDS = "~";

/** Returns the last lead that a page scans; null when the scan reaches the end. */
function findScanEnd(sql: SqlStorage, after: string): string | null {
  const { rows, last } = sql
    .exec<{ rows: number; last: string | null }>(
      "SELECT count(*) AS rows, max(lead_id) AS last FROM (SELECT lead_id FROM listings WHERE lead_id > ? ORDER BY lead_id LIMIT ?)",
      after,
      MAX_SCANNED_ROWS,
    )
    .one();
  return rows === MAX_SCANNED_ROWS ? last : null;
}

const COLUMNS = `lead_id AS leadId, generation, listings.version AS version, state, price_cents AS priceCents,
  expires_at AS expiresAt, sale, departure, rescue, erased_at IS NOT NULL AS isErased, queued_at AS queuedAt`;
const TABLES = "listings LEFT JOIN rescues USING (lead_id) LEFT JOIN outbox USING (lead_id)";

function toRecord({ sale, departure, rescue, isErased, state, ...row }: RecordRow): ListingRecord {
  return {
    ...row,
    state: state as ListingRecord["state"],
    sale: parse<Sale>(sale),
    departure: parse<Departure>(departure),
    rescue: parse<Rescue>(rescue),
    isErased: isErased === 1,
  };
}

/** Returns the records of leads. Omits leads that were never listed here. */
export function readRecords(sql: SqlStorage, leadIds: readonly string[]): ListingRecord[] {
  return sql
    .exec<RecordRow>(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE lead_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(leadIds),
    )
    .toArray()
    .map(toRecord);
}

/**
 * Returns records that may have changed since a given time, by lead id. These are sales and erasures since then, open
 * leads, and unsold leads that may have been on the market then. A record does not store when an unsold lead left the
 * market. A page may be empty and still have a `next`.
 */
export function readRecordsPage(
  sql: SqlStorage,
  { since, after, limit }: RecordsQuery,
): { records: ListingRecord[]; next: string | null } {
  const scanEnd = findScanEnd(sql, after ?? "");
  const records = sql
    .exec<RecordRow>(
      `SELECT ${COLUMNS} FROM ${TABLES}
       WHERE lead_id > ?1 AND lead_id <= ?4 AND (
         json_extract(sale, '$.soldAt') >= ?2 OR erased_at >= ?2
         OR (sale IS NULL AND (expires_at >= ?2 OR state IN ('available', 'held', 'releasing')))
       )
       ORDER BY lead_id LIMIT ?3`,
      after ?? "",
      since,
      limit,
      scanEnd ?? AFTER_ALL_IDS,
    )
    .toArray()
    .map(toRecord);
  return { records, next: records.length === limit ? records.at(-1)!.leadId : scanEnd };
}

/**
 * Erases a lead's summary and the lead's events. A client that reconnects from before the listing finds a gap, and
 * receives a snapshot. If it received only `gone`, it would subtract a lead that it never counted. The newest event is
 * replaced, not deleted, because the next change continues from its number.
 */
export function eraseLeadRecord(sql: SqlStorage, leadId: string, now: number): void {
  sql.exec("UPDATE listings SET summary = NULL, erased_at = ? WHERE lead_id = ?", now, leadId);
  sql.exec(
    `DELETE FROM events
     WHERE json_extract(change, '$.lead.id') = ? AND seq < (SELECT max(seq) FROM events)`,
    leadId,
  );
  sql.exec(
    `UPDATE events SET change = json_object('kind', 'gone', 'seq', seq, 'leadId', ?1, 'reason', 'withdrawn')
     WHERE json_extract(change, '$.lead.id') = ?1`,
    leadId,
  );
}
