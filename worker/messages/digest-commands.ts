/** Digests of leads: one for each device and moment, however many leads make it. */
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { messages } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { rowColumns } from "../outbox/enqueue-commands.ts";
import { digestPlan } from "../outbox/quiet-rules.ts";

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
 * The row of the digest that takes the place of a message whose reader has a pause or quiet hours.
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

/**
 * The statements that make a person's waiting digests due at another moment: one for each device, with its earliest
 * lead. The first returns the ids.
 * @param which of them, as a condition on their rows
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
    // Gone, not dropped: one may come to be due at that moment once more.
    db
      .delete(messages)
      .where(inArray(messages.id, db.select({ id: messages.id }).from(messages).where(waiting))),
  ] as const;
}
