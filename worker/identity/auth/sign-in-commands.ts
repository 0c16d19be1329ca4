/** An account's own list of sign-ins and failed attempts. */
import { and, count, eq, gt, sql } from "drizzle-orm";

import { HOUR_MS } from "../../../contract/durations.ts";
import type { SignInMethod } from "../../../contract/auth.ts";
import { formatDevice } from "../account/queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, ignoreIfChanged } from "../../platform/db/guarded-batch.ts";
import { signIns } from "../tables.ts";
import { users } from "../../platform/db/users.ts";
import type { Context } from "../../platform/context.ts";
import { shortKeyedHash } from "../../platform/keys.ts";
import { log } from "../../platform/log.ts";

export type SignInAttempt = { userId: string; userAgent: string | null; method: SignInMethod; now: number };

/** A sign-in. `networkKey`: the keyed hash of its network; omitted by tests. */
export type SignIn = SignInAttempt & { networkKey?: string };

/** Returns the key of a network in the list of sign-ins. It does not reveal the network. */
export function networkKey({ settings }: Context, network: string): string {
  return shortKeyedHash(settings.originHashKey, "network", network);
}

/** Returns the statement that records a sign-in, for the batch that starts the session. */
export function recordSignIn(db: Db, { userId, userAgent, method, now, networkKey }: SignIn) {
  return db
    .insert(signIns)
    .values({ userId, at: now, method, succeeded: true, device: formatDevice(userAgent), networkKey });
}

/** Maximum failures listed per hour and account. They show an attack, but do not fill the table. */
const FAILURES_LISTED = 20;
const FAILURES_WITHIN_MS = HOUR_MS;

/**
 * Records a failed attempt in the log and in the account's list. Runs after the response, so that its timing does not
 * reveal whether the account exists.
 * @param tried `userId`: the account; null if there is none
 */
export async function recordFailure(
  context: Context,
  tried: Omit<SignInAttempt, "userId"> & { userId: string | null },
) {
  const { userId, userAgent, method, now } = tried;
  log("warn", "sign_in_failed", { userId, method });
  if (userId === null) return;
  const db = context.db;
  const listed = db
    .select({ failures: count() })
    .from(signIns)
    .where(
      and(eq(signIns.userId, userId), gt(signIns.at, now - FAILURES_WITHIN_MS), eq(signIns.succeeded, false)),
    );
  const where = and(eq(users.id, userId), sql`(${listed}) < ${FAILURES_LISTED}`);
  const entry = { userId, at: now, method, succeeded: false, device: formatDevice(userAgent) };
  try {
    await guardedBatch(db, { from: users, where }, [db.insert(signIns).values(entry)]).catch(ignoreIfChanged);
  } catch (error) {
    log("warn", "sign_in_not_listed", { userId, error });
  }
}
