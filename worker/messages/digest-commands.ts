/** Digests of leads: one for each device and time, however many leads it covers. */
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { messages } from "../platform/db/schema.ts";
import { newId } from "../platform/ids.ts";
import { rowColumns } from "../outbox/enqueue-commands.ts";
import { digestPlan } from "../outbox/quiet-rules.ts";

/** Returns an insert's conflict clause. Existing rows stay, but a waiting digest moves back to its earliest lead. */
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
 * Returns the digest that replaces a message during its recipient's pause or quiet hours.
 * @param since when its first lead was requested, epoch ms
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

/**
 * Returns the statements that reschedule a user's waiting digests: one per device, with its earliest lead. The first
 * returns the ids.
 * @param which the digests, as a condition on their rows
 * @param due epoch ms
 */
export function moveDigests(db: Db, userId: string, which: SQL, due: number, now: number) {
  const { expiresAt } = digestPlan("", due);
  const [before, behind] = digestPlan("|", due).key.split("|");
  const waiting = and(
    eq(messages.userId, userId),
    eq(messages.template, "lead_digest"),
    eq(messages.state, "waiting"),
    which,
  );
  return [
    db
      .insert(messages)
      .select(
        db
          .select(
            rowColumns({
              id: sql`${newId("msg")} || '_' || ${messages.recipient}`,
              dedupeKey: sql`${before} || ${messages.recipient} || ${behind}`,
              channel: "push",
              template: "lead_digest",
              recipient: sql`${messages.recipient}`,
              userId: sql`${userId}`,
              payload: sql`json_object('since', min(${messages.payload} ->> 'since'))`,
              due: sql`${due}`,
              expiresAt: sql`${expiresAt}`,
              createdAt: sql`${now}`,
            }),
          )
          .from(messages)
          .where(waiting)
          .groupBy(messages.recipient),
      )
      .onConflictDoUpdate(mergeDigests())
      .returning({ id: messages.id }),
    // Deleted, not dropped: another digest may become due at that time.
    db
      .delete(messages)
      .where(inArray(messages.id, db.select({ id: messages.id }).from(messages).where(waiting))),
  ] as const;
}
