/** Sends what is due. Every step may be lost: what was not noted as sent is tried again when its lease is over. */
import { and, eq, inArray, lte, sql } from "drizzle-orm";

import { MINUTE_MS } from "../../contract/durations.ts";
import { type Db, database } from "../db/client.ts";
import { messages, pushDevices } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { log } from "../log.ts";
import { dueIds, type Kind, kindsToSend } from "./due-queries.ts";
import { type EmailRun, sendOneEmail } from "./email-run-commands.ts";
import { findHearers, findLeadsToTell } from "./queries.ts";
import type { PushSettings } from "./push.ts";
import { retryAfter } from "./push-rules.ts";
import { type PushRun, sendOnePush } from "./push-run.ts";
import { handOver, handOverDue } from "./queue-commands.ts";
import type { Result } from "./results.ts";
import type { SmsSettings } from "./sms-gateway.ts";
import { sendOneText, type TextRun } from "./sms-run-commands.ts";
import { spread, writeRows } from "./spread-commands.ts";
import { KEPT_MS } from "./templates.ts";

type MessageRow = typeof messages.$inferSelect;

/** Whoever takes a message has so long to send it; then another may. */
const LEASE_MS = 2 * MINUTE_MS;
/** Whoever has been at it for so long begins nothing more: the rest is due again when its lease is over. */
const LONGEST_RUN_MS = LEASE_MS - 30_000;
/** Sent side by side: a Worker opens six connections at once, and leads are looked at again before each group. */
const GROUP = 6;
/** One call sends so many; 2.3 ms of processor each. */
const MOST_AT_ONCE = 100;
/** A run goes round so often: within its time, and within the calls that a Worker may make. */
const ROUNDS = 4;
const MOST_FORGOTTEN = 200;
/** What the queue was given and nobody has sent for so long, the sweep sends itself. */
const QUEUE_PATIENCE_MS = 2 * MINUTE_MS;
/** A message that breaks us, so by a fault of ours, is tried so often; then an admin is shown it. */
const MOST_BREAKS = 5;

/** Which messages a run is about. */
type Due = { ids: readonly string[] | null; dueBy: number };

/** Takes what is due, oldest first: nobody else sends it until the lease is over. */
async function take(db: Db, kind: Kind, { ids, dueBy }: Due, now: number): Promise<MessageRow[]> {
  return db
    .update(messages)
    .set({ attempts: sql`${messages.attempts} + 1`, due: now + LEASE_MS, triedAt: now })
    .where(
      and(
        inArray(messages.id, sql`(${dueIds(kind, dueBy, ids)})`),
        eq(messages.state, "waiting"),
        lte(messages.due, dueBy),
      ),
    )
    .returning();
}

/** Works on messages a group at a time, for as long as they are ours. */
async function inGroups(
  taken: readonly MessageRow[],
  size: number,
  work: (group: MessageRow[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  const began = Date.now();
  for (let from = 0; from < taken.length && Date.now() - began < LONGEST_RUN_MS; from += size)
    results.push(...(await work(taken.slice(from, from + size))));
  return results;
}

/** Sends one message. Should that break, by a fault of ours, the others of its group are sent and noted all the same. */
async function attempt<Sent extends Result>(
  { id, template, attempts, due }: MessageRow,
  now: number,
  send: () => Promise<Sent>,
): Promise<Sent | Result> {
  try {
    return await send();
  } catch (error) {
    log("error", "message_broken", { messageId: id, template, attempts, error });
    return attempts < MOST_BREAKS
      ? { id, state: "waiting", due: now + retryAfter(attempts) }
      : { id, state: "failed", due };
  }
}

/**
 * Notes what became of messages, forgets devices that are gone, and writes what is said later `instead`. What was said of one meanwhile stands: a delivery
 * report, or that its person wants no more.
 */
async function note(
  db: Db,
  results: readonly Result[],
  gone: readonly string[],
  instead: readonly (typeof messages.$inferInsert)[] = [],
): Promise<void> {
  const rows = JSON.stringify(results);
  const of = (field: string) =>
    sql`(SELECT value ->> ${field} FROM json_each(${rows}) WHERE value ->> 'id' = ${messages.id})`;
  await db.batch([
    db
      .update(messages)
      .set({
        state: of("$.state") as never,
        due: of("$.due") as never,
        attempts: sql`${messages.attempts} - coalesce(${of("$.untried")}, 0)`,
      })
      .where(
        and(
          inArray(messages.id, sql`(SELECT value ->> 'id' FROM json_each(${rows}))`),
          eq(messages.state, "waiting"),
        ),
      ),
    db
      .delete(pushDevices)
      .where(inArray(pushDevices.id, sql`(SELECT value FROM json_each(${JSON.stringify(gone)}))`)),
    ...(instead.length > 0 ? [writeRows(db, instead)] : []),
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
  return inGroups(taken, GROUP, async (group) => {
    const asked = group.flatMap(({ payload: { leadId, generation } }) =>
      leadId && generation ? [{ leadId, generation }] : [],
    );
    const leadsNow = await findLeadsToTell(env, asked);
    const results = await Promise.all(
      group.map((message) => attempt(message, now, () => sendOnePush(run, message, leadsNow))),
    );
    const gone = results.flatMap((one) => ("gone" in one && one.gone) || []);
    const instead = results.flatMap((one) => ("instead" in one && one.instead) || []);
    await note(db, results, gone, instead);
    return results;
  });
}

/** The same for emails. */
function sendEmails(env: Env, taken: readonly MessageRow[], now: number): Promise<Result[]> {
  const run: EmailRun = { busyForMs: null };
  return inGroups(taken, GROUP, async (group) => {
    const results = await Promise.all(
      group.map((message) => attempt(message, now, () => sendOneEmail(env, message, run, now))),
    );
    await note(database(env.DB), results, []);
    return results;
  });
}

/**
 * The same for text messages, one after the other: the gateway takes five calls at once, and the queue has ten runs.
 * Each is noted before the next, because each costs money and is reported on within seconds.
 */
function sendTexts(env: Env, sms: SmsSettings, taken: readonly MessageRow[], now: number): Promise<Result[]> {
  const run: TextRun = { sms, busyForMs: null };
  const began = Date.now();
  return inGroups(taken, 1, async ([message]) => {
    // With many before it a text may come to its turn only after the hour in which none is sent.
    const at = now + (Date.now() - began);
    const result = await attempt(message!, at, () => sendOneText(env, message!, run, at));
    await note(database(env.DB), [result], []);
    return [result];
  });
}

/** Takes what may be sent here: channels that are set up, and as much of each as may go now. */
async function takeAll(env: Env, due: Due, now: number): Promise<MessageRow[]> {
  const db = database(env.DB);
  const kinds = kindsToSend(env, db, now, MOST_AT_ONCE);
  return (await Promise.all(kinds.map((kind) => take(db, kind, due, now)))).flat();
}

/**
 * Turns notes into one message for each who is to hear, and hands those over. A note that breaks us waits for its
 * lease and keeps no other message waiting.
 * @returns for how many
 */
async function spreadAll(env: Env, notes: readonly MessageRow[], now: number): Promise<number> {
  let count = 0;
  for (const one of notes) {
    if (one.expiresAt <= now) {
      await note(database(env.DB), [{ id: one.id, due: one.due, state: "expired" }], []);
      continue;
    }
    try {
      const { hearers, dueIds: ids } = await spread(env, one, now);
      count += hearers;
      if (ids.length > 0) await handOver(env, ids);
    } catch (error) {
      log("error", "spread_broken", { messageId: one.id, attempts: one.attempts, error });
    }
  }
  return count;
}

/**
 * Spreads and sends what is due, a bounded number at a time.
 * @param ids only these; null for whatever is due
 * @param dueBy only what was due at that moment; left out: now
 * @returns how many became what; `waiting` ones are tried again
 * @throws D1's errors; what was taken is due again when its lease is over
 */
export async function deliver(env: Env, ids: readonly string[] | null, now: number, dueBy = now) {
  const { push, sms } = settings(env);
  const taken = Map.groupBy(await takeAll(env, { ids, dueBy }, now), ({ channel }) => channel);
  const counts: Record<string, number> = { spread: await spreadAll(env, taken.get("spread") ?? [], now) };
  const [pushes = [], emails = [], texts = []] = (["push", "email", "sms"] as const).map((one) =>
    taken.get(one),
  );
  // One channel that cannot go on keeps no other waiting.
  const runs = await Promise.allSettled([
    push && pushes.length > 0 ? sendPushes(env, push, pushes, now) : [],
    sendEmails(env, emails, now),
    sms && texts.length > 0 ? sendTexts(env, sms, texts, now) : [],
  ]);
  for (const { state } of runs.flatMap((run) => (run.status === "fulfilled" ? run.value : [])))
    counts[state] = (counts[state] ?? 0) + 1;
  const broken = runs.find((run) => run.status === "rejected");
  if (broken) throw broken.reason;
  return counts;
}

/** What became due only now is not looked through for what is late: for a lead it may be thousands. */
const EXPIRES_AFTER_MS = 10 * MINUTE_MS;

/** Ends what nobody sends here in time: its channel is switched off, or not set up. */
async function expireLate(db: Db, now: number): Promise<void> {
  const late = db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        sql`${messages.state} = 'waiting'`,
        lte(messages.due, now - EXPIRES_AFTER_MS),
        lte(messages.expiresAt, now),
      ),
    )
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

/**
 * The minute's sweep: hands over to the queue what nobody sent when it was written, or what waited, and forgets what
 * is over. Where the queue takes nothing it sends that itself, and what the queue has had for too long in any case.
 */
export async function sweepMessages(env: Env, now: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const began = Date.now();
  const isHandedOver = await handOverDue(env, now);
  for (let round = 0, isMore = true; isMore && round < ROUNDS; round++) {
    // What was spread in one round is due in the next, and each round's leases begin when it does.
    const at = now + (Date.now() - began);
    const dueBy = isHandedOver ? now - QUEUE_PATIENCE_MS : at;
    const done = Object.entries(await deliver(env, null, at, dueBy));
    for (const [name, count] of done) counts[name] = (counts[name] ?? 0) + count;
    isMore = done.some(([, count]) => count > 0);
  }
  const db = database(env.DB);
  await expireLate(db, now);
  return { ...counts, forgotten: await forgetOld(db, now) };
}
