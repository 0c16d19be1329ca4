import { and, desc, eq, gt, inArray } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { customerAnswers, messages } from "../db/schema.ts";
import { ANSWERED_WITHIN_MS, type GatewayAnswer } from "./rules.ts";

/** Nobody reads further back than this. */
const MOST_SHOWN = 200;

/** What a purchase's customer wrote back, the newest first. Whose purchase it is has been looked at before. */
export function listAnswers(db: Db, purchaseId: string) {
  return db
    .select({ id: customerAnswers.id, at: customerAnswers.at, words: customerAnswers.body })
    .from(customerAnswers)
    .where(eq(customerAnswers.purchaseId, purchaseId))
    .orderBy(desc(customerAnswers.at), desc(customerAnswers.id))
    .limit(MOST_SHOWN);
}

/**
 * The lead of the text that somebody answers: the one the gateway names, else the newest that reached their number.
 * @returns null when there is none
 */
export async function findAnsweredLead(
  db: Db,
  { from, textId }: GatewayAnswer,
  now: number,
): Promise<string | null> {
  const [text] = await db
    .select({ leadId: messages.leadId })
    .from(messages)
    .where(
      and(
        eq(messages.recipient, from),
        eq(messages.template, "request_taken"),
        eq(messages.channel, "sms"),
        gt(messages.createdAt, now - ANSWERED_WITHIN_MS),
        // Whoever answers a text has it, whatever we have heard of it.
        textId === null
          ? inArray(messages.state, ["sent", "delivered"])
          : and(eq(messages.id, textId), gt(messages.attempts, 0)),
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1);
  return text?.leadId ?? null;
}

/** Whether an answer is written already. */
export async function isAnswerKept(db: Db, gatewayRef: string): Promise<boolean> {
  return (await db.$count(customerAnswers, eq(customerAnswers.gatewayRef, gatewayRef))) > 0;
}
