/** Digests of leads: one for each device and moment, however many leads make it. */
import { sql } from "drizzle-orm";

import { messages } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { digestPlan } from "./quiet-rules.ts";

/** What an insert of messages does where one is written already: a digest that waits goes back to its earliest lead. */
export function mergeDigests() {
  const { dedupeKey, template, state, payload } = messages;
  const isEarlier = sql`excluded.payload ->> 'since' < ${payload} ->> 'since'`;
  return {
    target: dedupeKey,
    set: { payload: sql`excluded.payload` as never },
    setWhere: sql`${template} = 'lead_digest' AND ${state} = 'waiting' AND ${isEarlier}`,
  };
}

/**
 * The row of the digest that takes the place of a message whose reader has a pause.
 * @param since when its first lead was asked for, epoch ms
 * @param due when the pause and the quiet hours are over, epoch ms
 */
export function digestInstead(
  device: { id: string; userId: string },
  { since, due }: { since: number; due: number },
  now: number,
): typeof messages.$inferInsert {
  const { key, template, expiresAt } = digestPlan(device.id, due);
  return {
    id: newId("msg"),
    dedupeKey: key,
    channel: "push",
    template,
    recipient: device.id,
    userId: device.userId,
    payload: { since },
    due,
    expiresAt,
    createdAt: now,
  };
}
