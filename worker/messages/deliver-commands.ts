/** Sends what is due. Every step may be lost: what was not noted as sent is tried again when its lease is over. */
import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";

import { MINUTE_MS } from "../../contract/durations.ts";
import { type Db, database } from "../db/client.ts";
import { messageChannels, messages, pushDevices } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { canSendEmail } from "../notify/email.ts";
import { allowanceForStrangers, EMAIL_KINDS, type EmailRun, sendOneEmail } from "./email-run-commands.ts";
import { findHearers, findLeadsToTell } from "./queries.ts";
import type { PushSettings } from "./push.ts";
import { type PushRun, sendOnePush } from "./push-run.ts";
import type { Result } from "./results.ts";
import { spread } from "./spread-commands.ts";
import { KEPT_MS } from "./templates.ts";

type MessageRow = typeof messages.$inferSelect;

/** Whoever takes a message has so long to send it; then another may. */
const LEASE_MS = 2 * MINUTE_MS;
/** Sent side by side: a Worker opens six connections at once, and leads are looked at again before each group. */
const GROUP = 6;
/** One call sends so many; 2.3 ms of processor each. */
const MOST_AT_ONCE = 100;
/** A run goes round so often: within its time, and within the calls that a Worker may make. */
const ROUNDS = 4;
const MOST_FORGOTTEN = 200;

const PUSH_KINDS = inArray(messages.channel, ["spread", "push"]);

/** A channel that an admin switched off sends nothing; what waits may still go when it is on again. */
const isSwitchedOff = sql`EXISTS (SELECT 1 FROM ${messageChannels} WHERE ${messageChannels.isOn} = 0
  AND ${messageChannels.channel} = CASE ${messages.channel} WHEN 'spread' THEN 'push' ELSE ${messages.channel} END)`;

/** Takes what is due, oldest first: nobody else sends it until the lease is over. */
async function take(
  db: Db,
  ids: readonly string[] | null,
  now: number,
  { which, most }: { which: SQL; most: number | SQL },
): Promise<MessageRow[]> {
  const isDue = and(
    sql`${messages.state} = 'waiting'`,
    lte(messages.due, now),
    which,
    ids ? inArray(messages.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`) : undefined,
    sql`NOT ${isSwitchedOff}`,
  );
  const due = sql`(SELECT ${messages.id} FROM ${messages} WHERE ${isDue} ORDER BY ${messages.due} LIMIT ${most})`;
  return db
    .update(messages)
    .set({ attempts: sql`${messages.attempts} + 1`, due: now + LEASE_MS, triedAt: now })
    .where(and(inArray(messages.id, due), eq(messages.state, "waiting"), lte(messages.due, now)))
    .returning();
}

/** Works on messages a group at a time. */
async function inGroups(
  taken: readonly MessageRow[],
  work: (group: MessageRow[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < taken.length; from += GROUP)
    results.push(...(await work(taken.slice(from, from + GROUP))));
  return results;
}

/** Notes what became of messages, and forgets devices that are gone. */
async function note(db: Db, results: readonly Result[], gone: readonly string[]): Promise<void> {
  const rows = JSON.stringify(results);
  const of = (field: string) =>
    sql`(SELECT value ->> ${field} FROM json_each(${rows}) WHERE value ->> 'id' = ${messages.id})`;
  await db.batch([
    db
      .update(messages)
      .set({ state: of("$.state") as never, due: of("$.due") as never })
      .where(inArray(messages.id, sql`(SELECT value ->> 'id' FROM json_each(${rows}))`)),
    db
      .delete(pushDevices)
      .where(inArray(pushDevices.id, sql`(SELECT value FROM json_each(${JSON.stringify(gone)}))`)),
  ]);
}

/** Sends pushes, group by group, and notes each group at once: a run that is lost loses one group's word. */
async function sendPushes(
  env: Env,
  push: PushSettings,
  taken: readonly MessageRow[],
  now: number,
): Promise<Result[]> {
  const db = database(env.DB);
  const hearers = await findHearers(env, [...new Set(taken.map(({ recipient }) => recipient ?? ""))], now);
  const run: PushRun = { env, push, now, hearers, busyUntil: new Map() };
  return inGroups(taken, async (group) => {
    const asked = group.flatMap(({ payload: { leadId, generation } }) =>
      leadId && generation ? [{ leadId, generation }] : [],
    );
    const leadsNow = await findLeadsToTell(env, asked);
    const results = await Promise.all(group.map((message) => sendOnePush(run, message, leadsNow)));
    const gone = results.flatMap((one) => one.gone ?? []);
    await note(db, results, gone);
    return results;
  });
}

/** The same for emails. */
function sendEmails(env: Env, taken: readonly MessageRow[], now: number): Promise<Result[]> {
  const run: EmailRun = { busyForMs: null };
  return inGroups(taken, async (group) => {
    const results = await Promise.all(group.map((message) => sendOneEmail(env, message, run, now)));
    await note(database(env.DB), results, []);
    return results;
  });
}

/** Takes what may be sent here: channels that are set up, and as much of each as may go now. */
async function takeAll(env: Env, ids: readonly string[] | null, now: number): Promise<MessageRow[]> {
  const db = database(env.DB);
  const takes = [
    ...(settings(env).push ? [take(db, ids, now, { which: PUSH_KINDS, most: MOST_AT_ONCE })] : []),
    ...(canSendEmail(env)
      ? [
          take(db, ids, now, { which: EMAIL_KINDS[0], most: MOST_AT_ONCE }),
          take(db, ids, now, { which: EMAIL_KINDS[1], most: allowanceForStrangers(db, now) }),
        ]
      : []),
  ];
  return (await Promise.all(takes)).flat();
}

/**
 * Spreads and sends what is due, a bounded number at a time.
 * @param ids only these; null for whatever is due
 * @returns how many became what; `waiting` ones are tried again
 * @throws D1's errors; what was taken is due again when its lease is over
 */
export async function deliver(env: Env, ids: readonly string[] | null, now: number) {
  const { push } = settings(env);
  const db = database(env.DB);
  const taken = Map.groupBy(await takeAll(env, ids, now), ({ channel }) => channel);
  let spreadTo = 0;
  for (const one of taken.get("spread") ?? []) {
    if (one.expiresAt <= now) await note(db, [{ id: one.id, due: one.due, state: "expired" }], []);
    else spreadTo += await spread(env, one, now);
  }
  const [pushes, emails] = [taken.get("push") ?? [], taken.get("email") ?? []];
  const results = [
    ...(push && pushes.length > 0 ? await sendPushes(env, push, pushes, now) : []),
    ...(await sendEmails(env, emails, now)),
  ];
  const counts: Record<string, number> = { spread: spreadTo };
  for (const { state } of results) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Ends what nobody sends here in time: its channel is switched off, or not set up. */
async function expireLate(db: Db, now: number): Promise<void> {
  const late = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.state} = 'waiting'`, lte(messages.due, now), lte(messages.expiresAt, now)))
    .limit(MOST_FORGOTTEN);
  await db.update(messages).set({ state: "expired" }).where(inArray(messages.id, late));
}

/** Forgets messages that are over, or that nobody will send any more, some days later. */
async function forgetOld(db: Db, now: number): Promise<number> {
  const old = lte(messages.createdAt, now - KEPT_MS);
  const done = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.state} <> 'waiting'`, old))
    .limit(MOST_FORGOTTEN);
  const stale = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.state} = 'waiting'`, lte(messages.due, now - KEPT_MS)))
    .limit(MOST_FORGOTTEN);
  const gone = await db.batch([
    db.delete(messages).where(inArray(messages.id, done)).returning({ id: messages.id }),
    db.delete(messages).where(inArray(messages.id, stale)).returning({ id: messages.id }),
  ]);
  return gone.flat().length;
}

/** The minute's sweep: sends what nobody sent when it was written, or what waited, and forgets what is over. */
export async function sweepMessages(env: Env, now: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let round = 0, isMore = true; isMore && round < ROUNDS; round++) {
    // What was spread in one round is due in the next.
    const done = Object.entries(await deliver(env, null, now));
    for (const [name, count] of done) counts[name] = (counts[name] ?? 0) + count;
    isMore = done.some(([, count]) => count > 0);
  }
  const db = database(env.DB);
  await expireLate(db, now);
  return { ...counts, forgotten: await forgetOld(db, now) };
}
