import { type SQL, sql } from "drizzle-orm";

import { leadPurchases } from "./schema.ts";

/**
 * Returns a time for a change that is always later than the previous change, even if two Workers' clocks differ.
 * Windows compare these times to discard stale responses.
 */
export function nextUpdatedAt(now: number): SQL<number> {
  return sql<number>`max(${now}, ${leadPurchases.updatedAt} + 1)`;
}
