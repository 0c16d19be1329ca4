/** What may be sent now: what is due on channels that are set up and switched on, as much of each as may go. */
import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";

import { type Db, database } from "../db/client.ts";
import { messageChannels, messages } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { canSendEmail } from "../outbox/email.ts";
import { allowance } from "./channel-queries.ts";
import { type Channel, USUALLY_ON } from "./channel-rules.ts";
import { allowanceForStrangers, EMAIL_KINDS } from "./email-run-commands.ts";

const PUSH_KINDS = inArray(messages.channel, ["spread", "push"]);

/** A channel that an admin switched off, or has yet to switch on, sends nothing; what waits may go when it is on. */
export const isSwitchedOff = (channel: Channel) => sql`coalesce((SELECT ${messageChannels.isOn} = 0
  FROM ${messageChannels} WHERE ${messageChannels.channel} = ${channel}), ${USUALLY_ON[channel] ? 0 : 1})`;

/** Messages that are bounded together. */
export type Kind = { which: SQL; most: number | SQL };

const kindOf = (channel: Channel, which: SQL, most: number | SQL): Kind => ({
  which: and(which, sql`NOT ${isSwitchedOff(channel)}`)!,
  most,
});

/** Whether anything can be sent here at all. */
export function canSend(env: Env): boolean {
  const { push, sms } = settings(env);
  return push !== null || sms !== null || canSendEmail(env);
}

/**
 * The kinds of message that this deployment sends, each with how many may go now.
 * @param most so many of a kind, however many were allowed
 */
export function kindsToSend(env: Env, db: Db, now: number, most: number): Kind[] {
  const { push, sms } = settings(env);
  return [
    ...(push ? [kindOf("push", PUSH_KINDS, allowance(db, "push", now, most))] : []),
    ...(sms ? [kindOf("sms", eq(messages.channel, "sms"), allowance(db, "sms", now, most))] : []),
    ...(canSendEmail(env)
      ? [
          kindOf("email", EMAIL_KINDS[0], most),
          kindOf("email", EMAIL_KINDS[1], allowanceForStrangers(db, now)),
        ]
      : []),
  ];
}

/**
 * The query for the ids of what is due of a kind, oldest first.
 * @param ids only these; null for whatever is due
 */
export function dueIds({ which, most }: Kind, dueBy: number, ids: readonly string[] | null = null): SQL {
  const isDue = and(
    // A few by their ids: in the words of the index of all that is due, all of that would be looked through.
    ids ? eq(messages.state, "waiting") : sql`${messages.state} = 'waiting'`,
    lte(messages.due, dueBy),
    which,
    ids ? inArray(messages.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`) : undefined,
  );
  return sql`SELECT ${messages.id} FROM ${messages} WHERE ${isDue} ORDER BY ${messages.due} LIMIT ${most}`;
}

/** The ids of what may be sent now, the oldest of each kind. @param most so many of a kind */
export async function listDue(env: Env, now: number, most: number): Promise<string[]> {
  const db = database(env.DB);
  const found = await Promise.all(
    kindsToSend(env, db, now, most).map((kind) => db.all<{ id: string }>(dueIds(kind, now))),
  );
  return found.flat().map(({ id }) => id);
}
