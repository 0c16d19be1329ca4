import { and, asc, eq, inArray, lt, sql } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { payments } from "../db/schema.ts";
import type { BusinessScope } from "../middleware/access.ts";
import type { LedgerRow } from "./rules.ts";

/** A business's payment by its hold; null when it is not theirs. */
export async function findPayment(db: Db, scope: BusinessScope, holdId: string): Promise<LedgerRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.holdId, holdId), eq(payments.buyerId, scope.businessId)));
  return row ?? null;
}

/**
 * Payments in one of these states that nothing was heard of for a while.
 * @param filter `after`: ids beyond this one come first, and then those before it. Whoever asks from a
 *   random place each time keeps rows that always fail from standing in front of the others.
 */
export function listQuiet(
  db: Db,
  filter: { states: LedgerRow["state"][]; before: number; after: string; limit: number },
): Promise<LedgerRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(inArray(payments.state, filter.states), lt(payments.updatedAt, filter.before)))
    .orderBy(sql`${payments.id} <= ${filter.after}`, asc(payments.id))
    .limit(filter.limit);
}
