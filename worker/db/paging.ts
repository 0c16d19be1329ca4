import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Where a page of a list ended: its last row's time (or another figure the list is ordered by) and id. */
export type After = { createdAt: number; id: string } | null;

/**
 * What a list that runs downwards by a figure and then by id still has to show; nothing for its first
 * page. Row values, which SQLite looks up in the index; an OR it would read its way through.
 */
export function olderThan(at: SQLiteColumn, id: SQLiteColumn, after: After | undefined): SQL | undefined {
  return after ? sql`(${at}, ${id}) < (${after.createdAt}, ${after.id})` : undefined;
}
