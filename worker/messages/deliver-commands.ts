/** Sends what is due. Every step may be lost: what was not noted as sent is tried again when its lease is over. */
import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";

import { MINUTE_MS } from "../../contract/durations.ts";
import { type Db, database } from "../db/client.ts";
import { messages, pushDevices } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { log } from "../log.ts";
import { makeContent, type Verdict } from "./content.ts";
import { findHearers, findLeadsToTell, type Hearer } from "./queries.ts";
import { type PushSettings, sendPush } from "./push.ts";
import { retryAfter } from "./push-rules.ts";
import { spread } from "./spread-commands.ts";
import { KEPT_MS } from "./templates.ts";

type MessageRow = typeof messages.$inferSelect;

/** Whoever takes a message has so long to send it; then another may. */
const LEASE_MS = 2 * MINUTE_MS;
/** How long a held lead's message waits: a hold lasts five minutes at most. */
const HELD_MS = 30_000;
/** Sent side by side: a Worker opens six connections at once, and leads are looked at again before each group. */
const GROUP = 6;
/** One call sends so many; 2.3 ms of processor each. */
const MOST_AT_ONCE = 100;
/** A run goes round so often: within its time, and within the calls that a Worker may make. */
const ROUNDS = 4;
const MOST_FORGOTTEN = 200;

/** What became of a message; with `due` it waits again. */
type Result = { id: string; state: MessageRow["state"]; due: number };

/** Takes what is due, oldest first: nobody else sends it until the lease is over. */
async function take(db: Db, ids: readonly string[] | null, now: number): Promise<MessageRow[]> {
  const isDue = and(
    sql`${messages.state} = 'waiting'`,
    lte(messages.due, now),
    ids ? inArray(messages.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`) : undefined,
  );
  const due = db
    .select({ id: messages.id })
    .from(messages)
    .where(isDue)
    .orderBy(asc(messages.due))
    .limit(MOST_AT_ONCE);
  return db
    .update(messages)
    .set({ attempts: sql`${messages.attempts} + 1`, due: now + LEASE_MS })
    .where(and(inArray(messages.id, due), eq(messages.state, "waiting"), lte(messages.due, now)))
    .returning();
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

/** What one run knows besides the messages: who may hear, and which services asked us to wait. */
type Run = {
  env: Env;
  push: PushSettings;
  now: number;
  hearers: Map<string, Hearer>;
  busyUntil: Map<string, number>;
};

const over = ({ id, due }: MessageRow, state: MessageRow["state"]): Result => ({ id, state, due });

/** Sends one message. @returns what became of it, and whether its device is gone */
async function sendOne(
  run: Run,
  message: MessageRow,
  leadsNow: Awaited<ReturnType<typeof findLeadsToTell>>,
): Promise<Result & { gone?: string }> {
  const { env, push, now, hearers, busyUntil } = run;
  if (message.expiresAt <= now) return over(message, "expired");
  const hearer = hearers.get(message.recipient ?? "");
  if (!hearer) return over(message, "dropped");
  const { host } = new URL(hearer.endpoint);
  const wait = (busyUntil.get(host) ?? 0) - now;
  if (wait > 0) return { id: message.id, state: "waiting", due: now + wait };
  const verdict: Verdict = await makeContent(env, message, hearer, leadsNow, now);
  if (verdict === "unwanted") return over(message, "dropped");
  // A hold may come to nothing: it does not count as a try.
  if (verdict === "held") return { id: message.id, state: "waiting", due: now + HELD_MS };
  const outcome = await sendPush(push, hearer, {
    content: verdict,
    ttlSeconds: Math.min(900, (message.expiresAt - now) / 1000),
  });
  if (outcome.kind === "sent") return over(message, "sent");
  if (outcome.kind === "gone") return { ...over(message, "dropped"), gone: hearer.id };
  const { kind, status } = outcome;
  log("warn", "push_not_taken", { messageId: message.id, host, status, attempts: message.attempts });
  if (kind === "refused") return over(message, "failed");
  const afterMs = outcome.afterMs ?? retryAfter(message.attempts);
  if (status === 429) busyUntil.set(host, now + afterMs);
  return { id: message.id, state: "waiting", due: now + afterMs };
}

/** Sends messages, group by group, and notes each group at once: a run that is lost loses one group's word. */
async function sendAll(env: Env, push: PushSettings, taken: readonly MessageRow[], now: number) {
  const db = database(env.DB);
  const hearers = await findHearers(env, [...new Set(taken.map(({ recipient }) => recipient ?? ""))], now);
  const run: Run = { env, push, now, hearers, busyUntil: new Map() };
  const counts: Record<string, number> = { sent: 0, expired: 0, dropped: 0, failed: 0, waiting: 0 };
  for (let from = 0; from < taken.length; from += GROUP) {
    const group = taken.slice(from, from + GROUP);
    const asked = group.flatMap(({ payload: { leadId, generation } }) =>
      leadId && generation ? [{ leadId, generation }] : [],
    );
    const leadsNow = await findLeadsToTell(env, asked);
    const results = await Promise.all(group.map((message) => sendOne(run, message, leadsNow)));
    await note(
      db,
      results,
      results.flatMap(({ gone }) => gone ?? []),
    );
    for (const { state } of results) counts[state]! += 1;
  }
  return counts;
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
  const taken = push ? await take(db, ids, now) : [];
  const [notes, single] = [
    taken.filter((one) => one.channel === "spread"),
    taken.filter((one) => one.channel === "push"),
  ];
  let spreadTo = 0;
  for (const one of notes) {
    if (one.expiresAt <= now) await note(db, [over(one, "expired")], []);
    else spreadTo += await spread(env, one, now);
  }
  const counts = push && single.length > 0 ? await sendAll(env, push, single, now) : {};
  return { spread: spreadTo, ...counts } as Record<string, number>;
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
  return { ...counts, forgotten: await forgetOld(database(env.DB), now) };
}
