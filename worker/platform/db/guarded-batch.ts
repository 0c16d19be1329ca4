/**
 * One guard per batch. A command reads facts, decides in TypeScript and writes plain rows. D1 has no interactive
 * transactions, so the batch begins with a guard: the facts must still be as the command read them.
 */
import { type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { check, integer, type SQLiteTable, sqliteTable } from "drizzle-orm/sqlite-core";

import { TryLater } from "../errors.ts";
import type { Db } from "./client.ts";
import { hasMessage } from "./unique.ts";

/**
 * Always empty. A batch inserts a row that violates the CHECK when its condition does not hold, so the whole batch
 * rolls back.
 */
export const mustHold = sqliteTable("must_hold", { ok: integer().notNull() }, () => [
  check("must_hold", sql`ok = 1`),
]);

type Statements = readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];

/** Another write came first, so nothing was written. The caller may try again. */
export class FactsChanged extends TryLater {
  constructor() {
    super("too_busy", "Someone else changed this at the same moment. Please try again.", 1);
  }
}

/** A batch runs only if `where` finds a row of `from`. */
export type Guard = {
  from: SQLiteTable;
  where: SQL | undefined;
  /** The error if it finds none. By default `FactsChanged`, to decide again. */
  refusal?: Error;
};

/**
 * Runs statements in one transaction, if the guard holds before the first one.
 * @returns the result of each statement
 * @throws the guard's refusal, or D1's errors; then nothing is written
 */
export async function guardedBatch<Batch extends Statements>(
  db: Db,
  { from, where, refusal }: Guard,
  statements: Batch,
): Promise<BatchResponse<Batch>> {
  const guard = db
    .insert(mustHold)
    .select(sql`SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM ${from} WHERE ${where})`);
  try {
    const [, ...results] = await db.batch([guard, ...statements]);
    return results as BatchResponse<Batch>;
  } catch (error) {
    throw hasMessage(error, "CHECK constraint failed: must_hold") ? (refusal ?? new FactsChanged()) : error;
  }
}

const MAX_ATTEMPTS = 3;

/** Runs a command that reads, decides and writes. Runs it again if the facts changed before its write. */
export async function retryIfChanged<Result>(command: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await command();
    } catch (error) {
      if (!(error instanceof FactsChanged) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Ignores `FactsChanged`. For a batch that another write may make unnecessary, such as a sweep's. @throws any other error */
export function ignoreIfChanged(error: unknown): void {
  if (!(error instanceof FactsChanged)) throw error;
}
