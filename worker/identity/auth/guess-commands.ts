import { and, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { knownNetworks, signInFailures, signIns } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { TryLater } from "../../platform/errors.ts";
import {
  type Budget,
  BUDGET_BURST,
  BUDGET_INTERVAL_MS,
  type Counter,
  type Counters,
  FIRST_WAIT_MS,
  COUNTER_LIFETIME_MS,
  FREE_TRIES,
  MAX_BUDGET_WAIT_MS,
  KNOWN_NETWORK_MS,
  networkKey,
  RETRY_FROM_MS,
  RETRY_UNTIL_MS,
  formatWait,
} from "./guess-counters.ts";
import { GUESSES_BEFORE_NOTICE } from "../../outbox/account-emails.ts";
import type { UserRow } from "../../platform/session.ts";

/** Returns whether the account had a sign-in from this network within `KNOWN_NETWORK_MS`. */
export async function isKnownNetwork(db: Db, userId: string, key: string, now: number): Promise<boolean> {
  const rows = await db
    .select({ userId: knownNetworks.userId })
    .from(knownNetworks)
    .where(
      and(
        eq(knownNetworks.userId, userId),
        eq(knownNetworks.networkKey, key),
        gt(knownNetworks.seenAt, now - KNOWN_NETWORK_MS),
      ),
    );
  return rows.length > 0;
}

/** Returns whether an account has signed in before, but not from this network within `KNOWN_NETWORK_MS`. */
export async function isUnknownNetwork(db: Db, userId: string, key: string, now: number): Promise<boolean> {
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
  const rows = counters.map(
    ({ key, freeTries, longestMs, isOwn }) => sql`(${key}, ${freeTries}, ${longestMs}, ${isOwn ? 1 : 0})`,
  );
  return sql`WITH tried (counter_key, free_tries, longest_ms, is_own) AS (VALUES ${sql.join(rows, sql`, `)})`;
}

/** SQL: when a counter admits the next attempt. The delay doubles with each failure after the free ones. */
const opensAt = (now: number) =>
  sql`CASE WHEN f.last_at <= ${now - COUNTER_LIFETIME_MS} OR f.failures < t.free_tries THEN 0
    ELSE f.last_at + min(t.longest_ms, ${FIRST_WAIT_MS} << CAST(min(f.failures - t.free_tries, 20) AS INTEGER)) END`;

const known = sql`FROM sign_in_failures f JOIN tried t ON t.counter_key = f.counter_key`;

/** SQL: a network's previous attempts at this account. Four attempts from a /48 count as one. */
const earlierTries = (now: number) =>
  sql`(SELECT coalesce(max(f.failures * ${FREE_TRIES} / t.free_tries), 0) ${known}
    WHERE t.is_own AND f.last_at > ${now - COUNTER_LIFETIME_MS})`;

/** SQL: this network was refused recently and has waited long enough. */
const isReturning = ({ waitingKey }: Budget, now: number) =>
  sql`EXISTS (SELECT 1 FROM sign_in_failures WHERE counter_key = ${waitingKey}
    AND last_at BETWEEN ${now - RETRY_UNTIL_MS} AND ${now - RETRY_FROM_MS})`;

/**
 * SQL: how much of the budget is in use, including one more attempt, in ms. The budget is a leaky bucket that is empty
 * at `last_at`.
 */
const usedBudgetMs = ({ key }: Budget, now: number) =>
  sql`(SELECT coalesce(max(max(last_at, ${now})), ${now}) + ${BUDGET_INTERVAL_MS - now}
    FROM sign_in_failures WHERE counter_key = ${key})`;

const BUDGET_MS = BUDGET_BURST * BUDGET_INTERVAL_MS;

/**
 * Returns how much of the budget (ms) may be in use when a network tries again. More previous attempts mean a smaller
 * share, so that frequent guessers leave room for new networks. The last ninth is reserved for refused networks that
 * retry.
 */
function shareMs(tries: number, returning: boolean): number {
  const rank = returning && tries < FREE_TRIES ? Math.min(tries, 1) : 2 * (tries + 1);
  return (BUDGET_MS * 16) / (16 + rank);
}

/** SQL: the budget in use is within `shareMs`. */
const isWithinShare = (budget: Budget, now: number) =>
  sql`${usedBudgetMs(budget, now)} * (16 + CASE WHEN ${isReturning(budget, now)} AND ${earlierTries(now)} < ${FREE_TRIES}
    THEN min(${earlierTries(now)}, 1) ELSE 2 * (${earlierTries(now)} + 1) END) <= ${BUDGET_MS * 16}`;

/** Records that a network was refused at an account. Further attempts within the window do not extend it. */
function recordRefusal(db: Db, { waitingKey }: Budget, now: number) {
  return db
    .insert(signInFailures)
    .values({ counterKey: waitingKey, failures: 0, lastAt: now })
    .onConflictDoUpdate({
      target: signInFailures.counterKey,
      set: { lastAt: now },
      setWhere: lte(signInFailures.lastAt, now - RETRY_UNTIL_MS),
    });
}

/**
 * Admits and counts a password attempt, or throws with the time to wait. One statement does both, so concurrent
 * attempts cannot all see empty counters.
 * @param hasLink Whether the message offers a password link
 * @returns the failures of each counter, including this attempt
 * @throws TryLater too_many_requests; the attempt is then not counted
 */
export async function admitGuess(
  db: Db,
  { all, sharedBudget }: Counters,
  now: number,
  hasLink = false,
): Promise<Map<string, number>> {
  const budgetRow = sharedBudget
    ? sql`UNION ALL SELECT ${sharedBudget.key}, ${now + BUDGET_INTERVAL_MS}`
    : sql``;
  const counted = await db.all<{ key: string; failures: number }>(sql`${triedTable(all)}
    INSERT INTO sign_in_failures (counter_key, failures, last_at)
    SELECT key, 1, at FROM (SELECT counter_key AS key, ${now} AS at FROM tried ${budgetRow})
    WHERE NOT EXISTS (SELECT 1 ${known} WHERE ${opensAt(now)} > ${now})
      AND ${sharedBudget ? isWithinShare(sharedBudget, now) : sql`true`}
    ON CONFLICT (counter_key) DO UPDATE SET
      failures = CASE WHEN last_at <= ${now - COUNTER_LIFETIME_MS} THEN 1 ELSE failures + 1 END,
      told_at = CASE WHEN last_at <= ${now - COUNTER_LIFETIME_MS} THEN NULL ELSE told_at END,
      last_at = max(last_at, ${now}) + excluded.last_at - ${now}
    RETURNING counter_key AS key, failures`);
  if (counted.length > 0) return new Map(counted.map(({ key, failures }) => [key, failures]));
  type Waiting = { until: number | null; tries: number; taken: number; hasReturned: number };
  const [waiting] = await db.all<Waiting>(
    sql`${triedTable(all)} SELECT max(${opensAt(now)}) AS until, ${earlierTries(now)} AS tries,
      ${sharedBudget ? usedBudgetMs(sharedBudget, now) : 0} AS taken,
      ${sharedBudget ? isReturning(sharedBudget, now) : 0} AS hasReturned ${known}`,
  );
  if (sharedBudget) await recordRefusal(db, sharedBudget, now);
  const { until, tries = 0, taken = 0, hasReturned } = waiting ?? {};
  const overMs = taken - shareMs(tries, hasReturned === 1);
  // After this wait, the network counts as a returning one.
  const isSoon = tries < FREE_TRIES && taken <= shareMs(tries, true);
  const budgetMs = overMs > 0 && isSoon ? RETRY_FROM_MS : Math.min(overMs, MAX_BUDGET_WAIT_MS);
  const seconds = Math.max(1, Math.ceil(Math.max((until ?? 0) - now, budgetMs) / 1000));
  throw new TryLater("too_many_requests", formatWait(seconds, hasLink), seconds);
}

/** Uncounts an attempt whose password was not checked. */
export async function refundGuess(db: Db, { all, sharedBudget }: Counters): Promise<void> {
  const keys = [...all.map(({ key }) => key), ...(sharedBudget ? [sharedBudget.key] : [])];
  if (keys.length === 0) return;
  const these = inArray(signInFailures.counterKey, keys);
  await db.batch([
    db
      .update(signInFailures)
      .set({
        failures: sql`max(${signInFailures.failures} - 1, 0)`,
        ...(sharedBudget && {
          lastAt: sql`${signInFailures.lastAt} - iif(${signInFailures.counterKey} = ${sharedBudget.key}, ${BUDGET_INTERVAL_MS}, 0)`,
        }),
      })
      .where(these),
    db.delete(signInFailures).where(and(these, eq(signInFailures.failures, 0))),
  ]);
}

/** After a correct password, clears the place's own counters and removes this attempt from the shared ones. */
export async function clearGuesses(db: Db, { all, sharedBudget }: Counters): Promise<void> {
  const own = all.filter(({ isOwn }) => isOwn).map(({ key }) => key);
  await db.delete(signInFailures).where(inArray(signInFailures.counterKey, own));
  await refundGuess(db, { all: all.filter(({ isOwn }) => !isOwn), sharedBudget });
}

/** Returns whether to notify a user now of guesses from unknown places. Returns true once per series of guesses. */
export async function shouldNotifyOwner(
  db: Db,
  { key }: Budget,
  failures: number,
  now: number,
): Promise<boolean> {
  if (failures < GUESSES_BEFORE_NOTICE) return false;
  const noticed = await db
    .update(signInFailures)
    .set({ toldAt: now })
    .where(and(eq(signInFailures.counterKey, key), isNull(signInFailures.toldAt)))
    .returning({ key: signInFailures.counterKey });
  return noticed.length > 0;
}

/** Maximum rows of each kind per run. The sweep runs every minute, so it deletes rows faster than they arrive. */
const BATCH = 5_000;

export async function sweepGuesses(
  context: Context,
  now: number,
): Promise<{ failures: number; networks: number }> {
  const db = context.db;
  const oldFailures = db
    .select({ key: signInFailures.counterKey })
    .from(signInFailures)
    .where(lte(signInFailures.lastAt, now - COUNTER_LIFETIME_MS))
    .limit(BATCH);
  const oldNetworks = sql`SELECT rowid FROM known_networks WHERE seen_at <= ${now - KNOWN_NETWORK_MS} LIMIT ${BATCH}`;
  const [failures, networks] = await db.batch([
    db.delete(signInFailures).where(inArray(signInFailures.counterKey, oldFailures)),
    db.delete(knownNetworks).where(sql`rowid IN (${oldNetworks})`),
  ]);
  return { failures: failures.meta.changes, networks: networks.meta.changes };
}
