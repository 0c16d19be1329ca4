/** The account's own list of sign-ins and of tries that failed. */
import { and, count, eq, gt, sql } from "drizzle-orm";

import { HOUR_MS } from "../../contract/durations.ts";
import type { SignInMethod } from "../../contract/auth.ts";
import { formatDevice } from "../account/views.ts";
import { type Db, database } from "../db/client.ts";
import { signIns } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";

export type SignInTry = { userId: string; userAgent: string | null; method: SignInMethod; now: number };

/** The list's line about somebody who is in, as a statement for the batch that lets them in. */
export function noteSignIn(db: Db, { userId, userAgent, method, now }: SignInTry) {
  return db
    .insert(signIns)
    .values({ userId, at: now, method, succeeded: true, device: formatDevice(userAgent) });
}

/** So many failures within so long are listed: enough to see what goes on, too few to fill the table. */
export const FAILURES_LISTED = 20;
const FAILURES_WITHIN_MS = HOUR_MS;

/**
 * Notes a try that failed: in the log, and in the list of the account it was about. It runs after the answer,
 * whose time must not tell whether there is such an account.
 * @param tried whose account; null when there is none
 */
export async function noteFailure(env: Env, tried: Omit<SignInTry, "userId"> & { userId: string | null }) {
  const { userId, userAgent, method, now } = tried;
  log("warn", "sign_in_failed", { userId, method });
  if (userId === null) return;
  const db = database(env.DB);
  const listed = db
    .select({ failures: count() })
    .from(signIns)
    .where(
      and(eq(signIns.userId, userId), gt(signIns.at, now - FAILURES_WITHIN_MS), eq(signIns.succeeded, false)),
    );
  try {
    await db.insert(signIns).select(
      db
        .select({
          id: sql`NULL`.as("id"),
          userId: sql`${userId}`.as("user_id"),
          at: sql`${now}`.as("at"),
          method: sql`${method}`.as("method"),
          succeeded: sql`0`.as("succeeded"),
          device: sql`${formatDevice(userAgent)}`.as("device"),
        })
        .from(sql`(SELECT 1)`)
        .where(sql`(${listed}) < ${FAILURES_LISTED}`),
    );
  } catch (error) {
    log("warn", "sign_in_not_listed", { userId, error });
  }
}
