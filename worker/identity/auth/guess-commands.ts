/** Slows down password guessing: each wrong password delays the account's next attempt (decision 49). */
import { eq, lte, sql } from "drizzle-orm";

import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../contract/durations.ts";
import type { Db } from "../../platform/db/client.ts";
import { signInFailures } from "../tables.ts";
import { TryLater } from "../../platform/errors.ts";

const { accountKey, failures, lastAt } = signInFailures;

/** Returns how long the next attempt must wait: 1, 2, 4 … seconds after the last failure, at most 60. */
function remainingDelayMs(before: { failures: number; lastAt: number }, now: number): number {
  if (before.failures === 0) return 0;
  return before.lastAt + Math.min(SECOND_MS * 2 ** (before.failures - 1), MINUTE_MS) - now;
}

/**
 * Counts an attempt as a failure before its password is checked, so that concurrent attempts cannot all pass.
 * @param key the account's key in `sign_in_failures`
 * @param hasLink whether a refusal offers a password link
 * @returns the account's failures in a row, with this attempt
 * @throws TryLater too_many_requests during the account's delay; the attempt is then not counted
 */
export async function admitAttempt(db: Db, key: string, now: number, hasLink: boolean): Promise<number> {
  const [before = { failures: 0, lastAt: now }] = await db
    .select({ failures, lastAt })
    .from(signInFailures)
    .where(eq(accountKey, key));
  const delayMs = remainingDelayMs(before, now);
  const count = db
    .insert(signInFailures)
    .values({ accountKey: key, failures: 1, lastAt: now })
    .onConflictDoUpdate({
      target: accountKey,
      set: { failures: sql`${failures} + 1`, lastAt: now },
      // Compare-and-set: only if no concurrent attempt was counted since the read.
      setWhere: eq(failures, before.failures),
    })
    .returning({ failures });
  const [row] = delayMs > 0 ? [] : await count;
  if (row) return row.failures;
  const seconds = Math.max(1, Math.ceil(delayMs / SECOND_MS));
  // An owner who typed no wrong password must understand it too.
  const wait = `Someone typed a wrong password for this account. Please try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  const link = hasLink ? ", or choose “Forgot password?” for a link by email" : "";
  throw new TryLater("too_many_requests", `${wait}${link}.`, seconds);
}

/** Ends an account's delay after a correct password. */
export async function clearFailures(db: Db, key: string): Promise<void> {
  await db.delete(signInFailures).where(eq(accountKey, key));
}

/** Deletes the failures of accounts without one for a day. @returns the number of deleted rows */
export async function deleteOldFailures(db: Db, now: number): Promise<number> {
  return (await db.delete(signInFailures).where(lte(lastAt, now - DAY_MS))).meta.changes;
}
