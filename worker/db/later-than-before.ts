import { type SQL, sql } from "drizzle-orm";

import { leadPurchases } from "./schema.ts";

/**
 * The time of a change that is later than the one before, whatever the clocks of two Workers say: windows
 * tell an old answer from a new one by it.
 */
export function laterThanBefore(now: number): SQL<number> {
  return sql<number>`max(${now}, ${leadPurchases.updatedAt} + 1)`;
}
