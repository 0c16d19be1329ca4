import { and, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";

import { type Db, database } from "../db/client.ts";
import { knownNetworks, signInFailures, signIns } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { TryLater } from "../errors.ts";
import {
  type Counter,
  type Counters,
  FIRST_WAIT_MS,
  FORGET_MS,
  NETWORK_MS,
  networkKey,
  TELL_AT,
  formatWait,
} from "./guess-counters.ts";
import type { UserRow } from "../platform/session.ts";

/** Returns whether an account was signed in to from this network within `NETWORK_MS`. */
export async function isKnownNetwork(db: Db, userId: string, key: string, now: number): Promise<boolean> {
  const rows = await db
    .select({ userId: knownNetworks.userId })
    .from(knownNetworks)
    .where(
      and(
        eq(knownNetworks.userId, userId),
        eq(knownNetworks.networkKey, key),
        gt(knownNetworks.seenAt, now - NETWORK_MS),
      ),
    );
  return rows.length > 0;
}

/** Returns whether an account has been used before, but not from this network within `NETWORK_MS`. */
export async function isStrangeNetwork(db: Db, userId: string, key: string, now: number): Promise<boolean> {
  const before = db
    .select({ id: signIns.id })
    .from(signIns)
    .where(and(eq(signIns.userId, userId), eq(signIns.succeeded, true)))
    .limit(1);
  if (await isKnownNetwork(db, userId, key, now)) return false;
  return (await before).length > 0;
}

export async function rememberNetwork(
  db: Db,
  user: Pick<UserRow, "id" | "passwordHash">,
  network: { name: string; secret: string | null },
  now: number,
): Promise<void> {
  await db
    .insert(knownNetworks)
    .values({ userId: user.id, networkKey: networkKey(user, network.name, network.secret), seenAt: now })
    .onConflictDoUpdate({ target: [knownNetworks.userId, knownNetworks.networkKey], set: { seenAt: now } });
}

function triedTable(counters: readonly Counter[]) {
  const rows = counters.map(({ key, freeTries, longestMs }) => sql`(${key}, ${freeTries}, ${longestMs})`);
  return sql`WITH tried (counter_key, free_tries, longest_ms) AS (VALUES ${sql.join(rows, sql`, `)})`;
}

/**
 * Returns the SQL for when a counter admits the next attempt. The wait doubles with each failure beyond the
 * free ones.
 */
const opensAt = (now: number) =>
  sql`CASE WHEN f.last_at <= ${now - FORGET_MS} OR f.failures < t.free_tries THEN 0
    ELSE f.last_at + min(t.longest_ms, ${FIRST_WAIT_MS} << CAST(min(f.failures - t.free_tries, 20) AS INTEGER)) END`;

const known = sql`FROM sign_in_failures f JOIN tried t ON t.counter_key = f.counter_key`;

/**
 * Admits a password attempt, or throws the time to wait. The same statement counts the attempt, so concurrent
 * attempts do not all find the counters empty.
 * @returns each counter's number of failures, this attempt included
 * @throws TryLater too_many_requests; nothing is counted then
 */
export async function admitGuess(db: Db, { all }: Counters, now: number): Promise<Map<string, number>> {
  const counted = await db.all<{ key: string; failures: number }>(sql`${triedTable(all)}
    INSERT INTO sign_in_failures (counter_key, failures, last_at)
    SELECT counter_key, 1, ${now} FROM tried
    WHERE NOT EXISTS (SELECT 1 ${known} WHERE ${opensAt(now)} > ${now})
    ON CONFLICT (counter_key) DO UPDATE SET
      failures = CASE WHEN last_at <= ${now - FORGET_MS} THEN 1 ELSE failures + 1 END,
      told_at = CASE WHEN last_at <= ${now - FORGET_MS} THEN NULL ELSE told_at END,
      last_at = excluded.last_at
    RETURNING counter_key AS key, failures`);
  if (counted.length > 0) return new Map(counted.map(({ key, failures }) => [key, failures]));
  const [waiting] = await db.all<{ until: number | null }>(
    sql`${triedTable(all)} SELECT max(${opensAt(now)}) AS until ${known}`,
  );
  const seconds = Math.max(1, Math.ceil(((waiting?.until ?? 0) - now) / 1000));
  throw new TryLater("too_many_requests", formatWait(seconds), seconds);
}

/** Takes a counted attempt back, because it was not made. */
export async function takeGuessBack(db: Db, { all }: Pick<Counters, "all">): Promise<void> {
  if (all.length === 0) return;
  const these = inArray(
    signInFailures.counterKey,
    all.map(({ key }) => key),
  );
  await db.batch([
    db
      .update(signInFailures)
      .set({ failures: sql`max(${signInFailures.failures} - 1, 0)` })
      .where(these),
    db.delete(signInFailures).where(and(these, eq(signInFailures.failures, 0))),
  ]);
}

/** After a right password, clears the place's own counter and removes this attempt from the shared counters. */
export async function forgiveGuess(db: Db, { all }: Counters): Promise<void> {
  const own = all.filter(({ isOwn }) => isOwn).map(({ key }) => key);
  await db.delete(signInFailures).where(inArray(signInFailures.counterKey, own));
  await takeGuessBack(db, { all: all.filter(({ isOwn }) => !isOwn) });
}

/** Returns whether to notify a user now of guesses from unknown places. True once per series of guesses. */
export async function isToBeTold(db: Db, { key }: Counter, failures: number, now: number): Promise<boolean> {
  if (failures < TELL_AT) return false;
  const noticed = await db
    .update(signInFailures)
    .set({ toldAt: now })
    .where(and(eq(signInFailures.counterKey, key), isNull(signInFailures.toldAt)))
    .returning({ key: signInFailures.counterKey });
  return noticed.length > 0;
}

/** Maximum rows of each kind per run. The sweep runs every minute, so deletion outpaces growth. */
const BATCH = 5_000;

export async function sweepGuesses(env: Env, now: number): Promise<{ failures: number; networks: number }> {
  const db = database(env.DB);
  const oldFailures = db
    .select({ key: signInFailures.counterKey })
    .from(signInFailures)
    .where(lte(signInFailures.lastAt, now - FORGET_MS))
    .limit(BATCH);
  const oldNetworks = sql`SELECT rowid FROM known_networks WHERE seen_at <= ${now - NETWORK_MS} LIMIT ${BATCH}`;
  const [failures, networks] = await db.batch([
    db.delete(signInFailures).where(inArray(signInFailures.counterKey, oldFailures)),
    db.delete(knownNetworks).where(sql`rowid IN (${oldNetworks})`),
  ]);
  return { failures: failures.meta.changes, networks: networks.meta.changes };
}
