/** Statements that enqueue the alert that a customer replied. Both belong in the batch that stores the reply. */
import { and, eq, inArray, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { Db } from "../platform/db/client.ts";
import { customerAnswers, leadPurchases, messages, pushDevices } from "../platform/db/schema.ts";
import { rowColumns } from "./enqueue-commands.ts";
import { RULES } from "./registry.ts";

const TEMPLATE = "customer_answered";
const { windowMs, lifetimeMs } = RULES[TEMPLATE];

/**
 * Enqueues an alert for each device of the lead's buyer. Skips a device that has one waiting, or got one within the
 * window. So three texts in a row ring once.
 */
export function noteAnswered(db: Db, answerId: string, now: number) {
  const told = alias(messages, "told");
  const isTold = db
    .select({ id: told.id })
    .from(told)
    .where(
      and(
        eq(told.recipient, pushDevices.id),
        eq(told.template, TEMPLATE),
        eq(told.leadId, leadPurchases.leadId),
        sql`(${told.state} = 'waiting' OR (${told.state} = 'sent' AND ${told.triedAt} > ${now - windowMs}))`,
      ),
    );
  return db
    .insert(messages)
    .select(
      db
        .select(
          rowColumns({
            id: sql`'msg_' || lower(hex(randomblob(10)))`,
            dedupeKey: sql`${`${TEMPLATE}:${answerId}:`} || ${pushDevices.id}`,
            channel: "push",
            template: TEMPLATE,
            recipient: sql`${pushDevices.id}`,
            userId: sql`${pushDevices.userId}`,
            leadId: sql`${leadPurchases.leadId}`,
            payload: sql`json_object('leadId', ${leadPurchases.leadId}, 'purchaseId', ${leadPurchases.id})`,
            due: sql`${now}`,
            expiresAt: sql`${now + lifetimeMs}`,
            createdAt: sql`${now}`,
          }),
        )
        .from(customerAnswers)
        .innerJoin(leadPurchases, eq(leadPurchases.id, customerAnswers.purchaseId))
        .innerJoin(pushDevices, eq(pushDevices.userId, leadPurchases.buyerId))
        .where(and(eq(customerAnswers.id, answerId), notExists(isTold))),
    )
    .onConflictDoNothing();
}

/** Restarts the lifetime of the lead's waiting alerts at each new reply. Alerts may wait for the end of quiet hours. */
export function keepAnsweredWaiting(db: Db, answerId: string, now: number) {
  const leadOf = db
    .select({ id: leadPurchases.leadId })
    .from(customerAnswers)
    .innerJoin(leadPurchases, eq(leadPurchases.id, customerAnswers.purchaseId))
    .where(eq(customerAnswers.id, answerId));
  return db
    .update(messages)
    .set({ expiresAt: now + lifetimeMs })
    .where(
      and(inArray(messages.leadId, leadOf), eq(messages.template, TEMPLATE), eq(messages.state, "waiting")),
    );
}
