import type { Query, SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

export type Db = DrizzleD1Database;

/** Returns Drizzle for a D1 binding. It holds no connection. */
export function database(binding: D1Database): Db {
  return drizzle(binding);
}

// Batches with raw SQL: Drizzle's own batch does not accept raw statements with parameters.

const dialect = new SQLiteAsyncDialect();

/**
 * Runs statements in one transaction.
 * @returns the rows of each statement, keyed by column name
 * @throws D1's errors; then no statement has taken effect
 */
export async function rawBatch(
  db: Db,
  statements: readonly (SQL | { toSQL: () => Query })[],
): Promise<Record<string, unknown>[][]> {
  const { $client: client } = db as Db & { $client: D1Database };
  const prepared = statements.map((one) => {
    const { sql, params } = "toSQL" in one ? one.toSQL() : dialect.sqlToQuery(one);
    return client.prepare(sql).bind(...params);
  });
  const batchResults = await client.batch<Record<string, unknown>>(prepared);
  return batchResults.map(({ results }) => results);
}
