/** What may be sent now: due messages of configured and enabled channels, up to each allowance. */
import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";

import { type Db, database } from "../platform/db/client.ts";
import { messageChannels, messages } from "../platform/db/schema.ts";
import { type Env, settings } from "../platform/env.ts";
import { canSendEmail } from "../outbox/email.ts";
import { allowance } from "./channel-queries.ts";
import { type Channel, USUALLY_ON } from "./channel-rules.ts";
import { allowanceForStrangers, EMAIL_KINDS } from "./email-run-commands.ts";

const PUSH_KINDS = inArray(messages.channel, ["spread", "push"]);

/** SQL: an admin switched the channel off, or has yet to enable it. Waiting messages may go once it is on. */
export const isSwitchedOff = (channel: Channel) => sql`coalesce((SELECT ${messageChannels.isOn} = 0
  FROM ${messageChannels} WHERE ${messageChannels.channel} = ${channel}), ${USUALLY_ON[channel] ? 0 : 1})`;

/** Messages that share one limit. */
export type Kind = { which: SQL; most: number | SQL };

const kindOf = (channel: Channel, which: SQL, most: number | SQL): Kind => ({
  which: and(which, sql`NOT ${isSwitchedOff(channel)}`)!,
  most,
});

export function canSend(env: Env): boolean {
  const { push, sms } = settings(env);
  return push !== null || sms !== null || canSendEmail(env);
}

/**
 * Returns the kinds of message that this deployment sends, each with its current allowance.
 * @param most the maximum of each kind, whatever its allowance
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
 * Returns the query for the ids of due messages of a kind, oldest first.
 * @param ids only these messages; null for all that are due
 */
export function dueIds({ which, most }: Kind, dueBy: number, ids: readonly string[] | null = null): SQL {
  const isDue = and(
    // With ids, avoid the partial index: it would scan every due row.
    ids ? eq(messages.state, "waiting") : sql`${messages.state} = 'waiting'`,
    lte(messages.due, dueBy),
    which,
    ids ? inArray(messages.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`) : undefined,
  );
  return sql`SELECT ${messages.id} FROM ${messages} WHERE ${isDue} ORDER BY ${messages.due} LIMIT ${most}`;
}

/** Returns the ids of messages that may be sent now, the oldest of each kind. @param most the maximum of each kind */
export async function listDue(env: Env, now: number, most: number): Promise<string[]> {
  const db = database(env.DB);
  const found = await Promise.all(
    kindsToSend(env, db, now, most).map((kind) => db.all<{ id: string }>(dueIds(kind, now))),
  );
  return found.flat().map(({ id }) => id);
}
