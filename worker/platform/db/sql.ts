import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import { leadPurchases } from "./purchases.ts";

/** A cursor: the id of a page's last row, and its time or other sort number. */
export type After = { createdAt: number; id: string } | null;

/**
 * Returns the condition for the rows after a cursor, in a list sorted by `at` and `id` descending. Returns undefined
 * for the first page. SQLite looks up row values in the index; with an OR it would scan.
 */
export function olderThan(at: SQLiteColumn, id: SQLiteColumn, after: After | undefined): SQL | undefined {
  return after ? sql`(${at}, ${id}) < (${after.createdAt}, ${after.id})` : undefined;
}

/** Returns the exclusive upper bound of all strings with this prefix, for a range of an index. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

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
