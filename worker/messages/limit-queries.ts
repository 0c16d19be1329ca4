/** Whether a channel's daily limit is used up. */
import { and, desc, eq, gt, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../platform/db/client.ts";
import { messageChannels, messages } from "../platform/db/schema.ts";
import { type Channel, USUAL_LIMIT } from "./channel-rules.ts";
import { CATCHING_UP_MS, type LimitState, limitStateOf } from "./limit-rules.ts";

/** Returns the state of a channel's daily limit. Reads at most that many index entries. */
export async function findLimit(db: Db, channel: Channel, now: number): Promise<LimitState> {
  const [setting] = await db
    .select({ mostADay: messageChannels.mostADay })
    .from(messageChannels)
    .where(eq(messageChannels.channel, channel));
  const mostADay = setting?.mostADay ?? USUAL_LIMIT[channel];
  if (mostADay <= 0) return limitStateOf(channel, mostADay, null, now);
  const [last] = await db
    .select({ triedAt: messages.triedAt })
    .from(messages)
    .where(
      and(
        eq(messages.channel, channel),
        sql`${messages.triedAt} IS NOT NULL`,
        gt(messages.triedAt, now - DAY_MS - CATCHING_UP_MS),
      ),
    )
    .orderBy(desc(messages.triedAt))
    .limit(1)
    .offset(mostADay - 1);
  return limitStateOf(channel, mostADay, last?.triedAt ?? null, now);
}
