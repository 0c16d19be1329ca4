import { and, desc, eq, gt, inArray } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import type { MessagePayload } from "../../platform/db/message-types.ts";
import { customerAnswers, messages } from "../../platform/db/schema.ts";
import { ANSWERED_WITHIN_MS, type GatewayAnswer } from "./rules.ts";

/** Maximum number of answers in a list. Providers do not read older answers. */
const MAX_SHOWN = 200;

/** Returns a purchase's answers from the customer, newest first. The caller must check first who owns the purchase. */
export function listAnswers(db: Db, purchaseId: string) {
  return db
    .select({ id: customerAnswers.id, at: customerAnswers.at, words: customerAnswers.body })
    .from(customerAnswers)
    .where(eq(customerAnswers.purchaseId, purchaseId))
    .orderBy(desc(customerAnswers.at), desc(customerAnswers.id))
    .limit(MAX_SHOWN);
}

/**
 * Returns the text message that a customer answers, and its lead. This is the message that the gateway reports, or else
 * the newest message to the customer's number.
 * @returns null if there is no such message
 */
export async function findAnsweredText(
  db: Db,
  { from, textId }: GatewayAnswer,
  now: number,
): Promise<{ leadId: string; template: string; payload: MessagePayload } | null> {
  const [text] = await db
    .select({ leadId: messages.leadId, template: messages.template, payload: messages.payload })
    .from(messages)
    .where(
      and(
        eq(messages.recipient, from),
        inArray(messages.template, ["request_taken", "did_they_call", "missed_calls"]),
        eq(messages.channel, "sms"),
        gt(messages.createdAt, now - ANSWERED_WITHIN_MS),
        // A customer who answers a message has received it, even if the stored state differs.
        textId === null
          ? inArray(messages.state, ["sent", "delivered"])
          : and(eq(messages.id, textId), gt(messages.attempts, 0)),
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1);
  return text?.leadId ? { ...text, leadId: text.leadId } : null;
}

export async function isAnswerStored(db: Db, gatewayRef: string): Promise<boolean> {
  return (await db.$count(customerAnswers, eq(customerAnswers.gatewayRef, gatewayRef))) > 0;
}
