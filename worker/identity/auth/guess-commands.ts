/** Counts wrong passwords by account (guess-rules.ts). */
import { and, eq, inArray, lte, sql } from "drizzle-orm";

import { SECOND_MS } from "../../../contract/durations.ts";
import type { Db } from "../../platform/db/client.ts";
import { signInFailures } from "../../platform/db/schema.ts";
import { TryLater } from "../../platform/errors.ts";
import { type Failures, FAILURES_LIFETIME_MS, formatDelay, remainingDelayMs } from "./guess-rules.ts";

const { accountKey, failures, lastAt } = signInFailures;

/**
 * Counts an attempt as a failure before its password is checked, so that concurrent attempts cannot all pass.
 * @param key the account's key in `sign_in_failures`
 * @param hasLink whether a refusal offers a password link
 * @returns the account's failures with this attempt, and those before it
 * @throws TryLater too_many_requests during the account's delay; the attempt is then not counted
 */
export async function admitAttempt(
  db: Db,
  key: string,
  now: number,
  hasLink: boolean,
): Promise<{ counted: number; before: Failures }> {
  const [before = { failures: 0, lastAt: now }] = await db
    .select({ failures, lastAt })
    .from(signInFailures)
    .where(eq(accountKey, key));
  const delayMs = remainingDelayMs(before, now);
  const [row] =
    delayMs > 0
      ? []
      : await db
          .insert(signInFailures)
          .values({ accountKey: key, failures: 1, lastAt: now })
          .onConflictDoUpdate({
            target: accountKey,
            set: { failures: sql`${failures} + 1`, lastAt: now },
            // Compare-and-set: only if no concurrent attempt was counted since the read.
            setWhere: eq(failures, before.failures),
          })
          .returning({ failures });
  if (row) return { counted: row.failures, before };
  const seconds = Math.max(1, Math.ceil(delayMs / SECOND_MS));
  throw new TryLater("too_many_requests", formatDelay(seconds, hasLink), seconds);
}

/** Removes an attempt from the count if its password was not checked and no later attempt was counted. */
export async function undoAttempt(
  db: Db,
  key: string,
  { counted, before }: { counted: number; before: Failures },
): Promise<void> {
  await db
    .update(signInFailures)
    .set(before)
    .where(and(eq(accountKey, key), eq(failures, counted)));
}

/** Ends an account's delay after a correct password. */
export async function clearFailures(db: Db, key: string): Promise<void> {
  await db.delete(signInFailures).where(eq(accountKey, key));
}

/** Maximum rows per run. The sweep runs every minute, so it deletes rows faster than they arrive. */
const BATCH = 5_000;

/** @returns the number of deleted rows */
export async function deleteOldFailures(db: Db, now: number): Promise<number> {
  const old = db
    .select({ accountKey })
    .from(signInFailures)
    .where(lte(lastAt, now - FAILURES_LIFETIME_MS))
    .limit(BATCH);
  const { meta } = await db.delete(signInFailures).where(inArray(accountKey, old));
  return meta.changes;
}
