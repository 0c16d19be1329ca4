/** How many messages may still go out on a channel. */
import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../platform/db/client.ts";
import { messageChannels, messages } from "../platform/db/schema.ts";
import { type Channel, USUAL_LIMIT } from "./channel-rules.ts";

/** Counts a channel's messages that were leased since a time. */
export const takenSince = (db: Db, channel: Channel, since: number) =>
  db
    .select({ count: sql`count(*)` })
    .from(messages)
    .where(
      and(eq(messages.channel, channel), sql`${messages.triedAt} IS NOT NULL`, gt(messages.triedAt, since)),
    );

/** Returns what is left of a channel's daily limit: an admin's, or the default. May be negative. */
export function leftToday(db: Db, channel: Channel, now: number): SQL<number> {
  return sql`coalesce((SELECT ${messageChannels.mostADay} FROM ${messageChannels}
    WHERE ${messageChannels.channel} = ${channel}), ${USUAL_LIMIT[channel]}) - (${takenSince(db, channel, now - DAY_MS)})`;
}

/** Returns the same, but at most `most`. Counts the day only if a message is due. */
export function allowance(db: Db, channel: Channel, now: number, most: number): SQL<number> {
  const due = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.state} = 'waiting'`, lte(messages.due, now), eq(messages.channel, channel)))
    .limit(1);
  return sql`CASE WHEN EXISTS ${due} THEN max(0, min(${most}, ${leftToday(db, channel, now)})) ELSE ${most} END`;
}
