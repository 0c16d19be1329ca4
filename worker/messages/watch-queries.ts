/** Whether messages go out, for the health call and for the admins. */
import { and, eq, gt, gte, inArray, lte, type SQL, sql } from "drizzle-orm";

import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { type Db, database } from "../db/client.ts";
import { messages } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { canSendEmail } from "../notify/email.ts";
import type { Channel } from "./channel-rules.ts";
import { isSwitchedOff } from "./due-queries.ts";
import { type ChannelPulse, LEAST_IN_VAIN, MOST_FAILING } from "./watch-rules.ts";

/** Whoever counts them stops here. */
const MOST_COUNTED = 100;
/** A message that was tried so often, lately, is tried in vain. */
const TRIES = 3;
const LATELY_MS = 10 * MINUTE_MS;

/** How many there are, 100 at most. */
async function countSome(db: Db, which: SQL | undefined): Promise<number> {
  const some = db.select({ id: messages.id }).from(messages).where(which).limit(MOST_COUNTED).as("some");
  const [row] = await db.select({ count: sql<number>`count(*)` }).from(some);
  return row?.count ?? 0;
}

async function pulseOf(db: Db, channel: Channel, now: number): Promise<ChannelPulse> {
  const those =
    channel === "push" ? inArray(messages.channel, ["spread", "push"]) : eq(messages.channel, channel);
  const triedSince = (since: number) => and(eq(messages.channel, channel), gt(messages.triedAt, since));
  const [[oldest], refused, inVain] = await Promise.all([
    db
      .select({ due: messages.due })
      .from(messages)
      .where(
        and(
          sql`${messages.state} = 'waiting'`,
          lte(messages.due, now),
          those,
          sql`NOT ${isSwitchedOff(channel)}`,
        ),
      )
      .orderBy(messages.due)
      .limit(1),
    countSome(db, and(triedSince(now - HOUR_MS), eq(messages.state, "failed"))),
    countSome(
      db,
      and(triedSince(now - LATELY_MS), eq(messages.state, "waiting"), gte(messages.attempts, TRIES)),
    ),
  ]);
  const failing = Math.min(MOST_COUNTED, refused + inVain);
  const sent =
    failing > MOST_FAILING || inVain >= LEAST_IN_VAIN
      ? await countSome(db, and(triedSince(now - HOUR_MS), inArray(messages.state, ["sent", "delivered"])))
      : 0;
  return { channel, dueSince: oldest?.due ?? null, failing, inVain, sent };
}

/** How each channel goes that this deployment sends on. */
export function lookAtChannels(env: Env, now: number): Promise<ChannelPulse[]> {
  const ready: Channel[] = [
    ...(canSendEmail(env) ? (["email"] as const) : []),
    ...(settings(env).push ? (["push"] as const) : []),
    ...(settings(env).sms ? (["sms"] as const) : []),
  ];
  return Promise.all(ready.map((channel) => pulseOf(database(env.DB), channel, now)));
}
