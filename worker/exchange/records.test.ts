import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { readRecordsPage } from "./records.ts";
import { exchangeIn } from "../../testing/facts.ts";

const PAST = 10_000;

/** Inserts leads that were sold long ago, with three from today among them. */
function insertListings(sql: SqlStorage, now: number): void {
  sql.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO listings (lead_id, generation, version, state, price_cents, listed_at, expires_at, sale, created_at)
     SELECT printf('lead_nsw_%020d', i), 1, 3, 'sold', 5000, i, i + 1,
            json_object('soldAt', CASE WHEN i IN (1, 5000, 10000) THEN ?2 ELSE i END), i
     FROM n`,
    PAST,
    now,
  );
}

test("a page of records scans a bounded part of the past, and all pages together scan all of it", async () => {
  const now = Date.now();
  const { found, most } = await runInDurableObject(exchangeIn("nsw"), (_, { storage }) => {
    insertListings(storage.sql, now);
    let read = 0;
    const counting = {
      exec: (...args: Parameters<SqlStorage["exec"]>) => {
        const rows = storage.sql.exec(...args);
        const all = rows.toArray();
        read += rows.rowsRead;
        return { toArray: () => all, one: () => all[0] };
      },
    } as unknown as SqlStorage;
    const ids: string[] = [];
    let after: string | null = null;
    let maxRead = 0;
    do {
      read = 0;
      const page: ReturnType<typeof readRecordsPage> = readRecordsPage(counting, {
        since: now - 1,
        after,
        limit: 50,
      });
      ids.push(...page.records.map(({ leadId }) => leadId));
      maxRead = Math.max(maxRead, read);
      after = page.next;
    } while (after !== null);
    return { found: ids, most: maxRead };
  });
  expect(found.map((id) => Number(id.slice(-20)))).toEqual([1, 5000, 10_000]);
  expect(most).toBeLessThan(5_000);
});
