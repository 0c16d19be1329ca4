import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** A cursor: the id of a page's last row, and its time or other sort number. */
export type After = { createdAt: number; id: string } | null;

/**
 * Returns the condition for the rows after a cursor, in a list sorted by `at` and `id` descending. Returns undefined
 * for the first page. SQLite looks up row values in the index; with an OR it would scan.
 */
export function olderThan(at: SQLiteColumn, id: SQLiteColumn, after: After | undefined): SQL | undefined {
  return after ? sql`(${at}, ${id}) < (${after.createdAt}, ${after.id})` : undefined;
}
