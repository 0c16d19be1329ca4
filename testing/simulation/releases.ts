/** Rewrites an exchange's records as the previous or next release would write them (decision 8). */
import type { Statements } from "./statements.ts";
import type { World } from "./world.ts";

/** A field from the next release. This release must preserve it. */
export const FUTURE_FIELD = "ofALaterRelease";

type Json = { [field: string]: unknown };

/** Columns with a record as JSON, and the fields that the previous release did not write. */
const RECORDS = [
  { table: "holds", column: "hold", unwritten: ["paymentIntentId", "release", "announceAt"], mark: true },
  { table: "listings", column: "departure", unwritten: ["byUserId", "toRegion"], mark: false },
  { table: "outbox", column: "projection", unwritten: ["sale", "departure"], mark: false },
] as const;

/** Omits null fields that the previous release did not write. */
function omitUnwritten(record: Json, unwritten: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(record).filter(([field, value]) => value !== null || !unwritten.includes(field)),
  );
}

function rewriteRecords(statements: Statements): number {
  let count = 0;
  for (const { table, column, unwritten, mark } of RECORDS) {
    const rows = statements.rows(
      `SELECT lead_id AS leadId, ${column} AS record FROM ${table} WHERE ${column} IS NOT NULL`,
      [],
    ) as { leadId: string; record: string }[];
    for (const { leadId, record } of rows) {
      const written = omitUnwritten(JSON.parse(record) as Json, unwritten);
      if (mark) written[FUTURE_FIELD] = true;
      statements.rows(`UPDATE ${table} SET ${column} = ? WHERE lead_id = ?`, [
        JSON.stringify(written),
        leadId,
      ]);
      count += 1;
    }
  }
  return count;
}

/**
 * Restarts an exchange after other releases have written its records, as a deploy and a rollback do.
 *
 * @returns whether the exchange exists and had records
 */
export function runOtherRelease(world: World, region: string): boolean {
  const host = world.exchanges.hosts.get(region);
  if (!host) return false;
  host.evict();
  const count = rewriteRecords(host.statements);
  world.story.logStep(() => `the exchange of ${region} ran other releases, which wrote ${count} records`);
  return count > 0;
}
