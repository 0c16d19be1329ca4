import { and, eq, type SQL, sql } from "drizzle-orm";

import { leadPurchases } from "./schema.ts";

/**
 * Returns a time for a change that is always later than the previous change, even if two Workers' clocks differ.
 * Windows compare these times to discard stale responses.
 */
export function nextUpdatedAt(now: number): SQL<number> {
  return sql<number>`max(${now}, ${leadPurchases.updatedAt} + 1)`;
}

/**
 * Returns the guard of a batch that changes a purchase: it is as we read it. Every change of its own moves `updatedAt`
 * forward. An erasure of its business only moves `notesVersion`.
 */
export function asRead({
  id,
  updatedAt,
  notesVersion,
}: Pick<typeof leadPurchases.$inferSelect, "id" | "updatedAt" | "notesVersion">) {
  const { id: idColumn, updatedAt: updatedAtColumn, notesVersion: version } = leadPurchases;
  const where = and(eq(idColumn, id), eq(updatedAtColumn, updatedAt), eq(version, notesVersion));
  return { from: leadPurchases, where };
}
