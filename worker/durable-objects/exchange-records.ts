/** What an exchange remembers of its leads for operators: records to read back, and people to forget. */
import type { Departure, ListingRecord, Sale } from "../exchange/listing.ts";

type RecordRow = {
  leadId: string;
  generation: number;
  version: number;
  state: string;
  priceCents: number;
  expiresAt: number;
  sale: string | null;
  departure: string | null;
  isErased: number;
};

export type RecordsQuery = {
  /** Epoch ms. */
  since: number;
  /** The last lead of the page before. */
  after: string | null;
  limit: number;
};

/**
 * Records that may have changed since a moment, by lead id: sales and erasures since then, what is still
 * open, and what left the market without a sale and could have been there (when it left is not kept).
 */
export function pageRecords(
  sql: SqlStorage,
  { since, after, limit }: RecordsQuery,
): { records: ListingRecord[]; next: string | null } {
  const rows = sql
    .exec<RecordRow>(
      `SELECT lead_id AS leadId, generation, version, state, price_cents AS priceCents, expires_at AS expiresAt,
              sale, departure, erased_at IS NOT NULL AS isErased
       FROM listings
       WHERE lead_id > ?1 AND (
         json_extract(sale, '$.soldAt') >= ?2 OR erased_at >= ?2
         OR (sale IS NULL AND (expires_at >= ?2 OR state IN ('available', 'held', 'releasing')))
       )
       ORDER BY lead_id LIMIT ?3`,
      after ?? "",
      since,
      limit,
    )
    .toArray();
  const records = rows.map((row) => ({
    ...row,
    state: row.state as ListingRecord["state"],
    sale: row.sale ? (JSON.parse(row.sale) as Sale) : null,
    departure: row.departure ? (JSON.parse(row.departure) as Departure) : null,
    isErased: row.isErased === 1,
  }));
  return { records, next: records.length === limit ? records.at(-1)!.leadId : null };
}

/**
 * Forgets what was said of a lead: its summary, and its part in the history. The history keeps its length
 * and order, so that browsers still catch up; where the lead came, they hear that it is gone.
 */
export function forgetLead(sql: SqlStorage, leadId: string, now: number): void {
  sql.exec("UPDATE listings SET summary = NULL, erased_at = ? WHERE lead_id = ?", now, leadId);
  sql.exec(
    `UPDATE events SET change = json_object('kind', 'gone', 'seq', seq, 'leadId', ?1, 'reason', 'withdrawn')
     WHERE json_extract(change, '$.lead.id') = ?1`,
    leadId,
  );
}
