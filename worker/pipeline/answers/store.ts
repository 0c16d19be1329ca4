/** Stores what customers answer and do, for the business that bought the request, and marks answers as read. */

import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import type { CustomerChange, CustomerUpdateKind } from "../../../contract/request-links.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { notifyRoom } from "../../live/room.ts";
import { enqueue } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { customerAnswers } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { type MessagePayload, messages } from "../../platform/db/messages.ts";
import { customerUpdates, leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { customerAnswered, customerUpdate, extendAnswered } from "./messages.ts";
import { ANSWERED_WITHIN_MS, type GatewayAnswer, MAX_ANSWERS_PER_DAY } from "./rules.ts";

/**
 * Returns the statement that stores an answer, if a business owns the lead and the lead still has this phone number.
 */
function insertAnswer(db: Db, id: string, leadId: string, { from, words, ref }: GatewayAnswer, now: number) {
  const storedToday = sql`(SELECT count(*) FROM ${customerAnswers} AS kept
    WHERE kept.purchase_id = ${leadPurchases.id} AND kept.at > ${now - DAY_MS})`;
  return db
    .insert(customerAnswers)
    .select(
      db
        .select({
          id: sql`${id}`.as("id"),
          purchaseId: sql`${leadPurchases.id}`.as("purchase_id"),
          body: sql`${words}`.as("body"),
          gatewayRef: sql`${ref}`.as("gateway_ref"),
          // Later than the previous answer even if Workers' clocks differ, because `answersSeenAt` refers to this time.
          at: sql`max(${now}, coalesce(${leadPurchases.answeredAt}, 0) + 1)`.as("at"),
        })
        .from(leadPurchases)
        .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
        .innerJoin(users, eq(users.id, leadPurchases.buyerId))
        .where(
          and(
            eq(leadPurchases.leadId, leadId),
            isNull(leadPurchases.removedAt),
            // An erased business still has purchases, but no user can read them.
            isNull(users.removedAt),
            isNull(leads.erasedAt),
            // If the phone number was corrected since, a different person received the text message.
            eq(leads.phoneKey, from),
            sql`${storedToday} < ${MAX_ANSWERS_PER_DAY}`,
          ),
        ),
    )
    .onConflictDoNothing();
}

/** Returns the statement that records a stored answer's time on its purchase. */
function markAnswered(db: Db, id: string, now: number) {
  const answerColumn = (column: "purchase_id" | "at") =>
    sql`(SELECT ${sql.raw(column)} FROM customer_answers WHERE id = ${id})`;
  return db
    .update(leadPurchases)
    .set({ answeredAt: sql`${answerColumn("at")}`, updatedAt: nextUpdatedAt(now) })
    .where(eq(leadPurchases.id, answerColumn("purchase_id")))
    .returning({ purchaseId: leadPurchases.id, businessId: leadPurchases.buyerId });
}

/**
 * Stores a customer's answer for the business that bought the request. The same batch enqueues messages to the owner's
 * phones. Logs an answer that cannot be stored. A repeated answer changes nothing.
 * @returns the purchase and its business; null if nothing was stored
 */
export async function receiveAnswer(
  db: Db,
  answer: GatewayAnswer,
  now: number,
): Promise<{ purchaseId: string; businessId: string } | null> {
  const text = await findAnsweredText(db, answer, now);
  if (!text) {
    log("info", "text_answer_unplaced", { reason: "no_text" });
    return null;
  }
  const id = newId("ans");
  const [, [marked]] = await db.batch([
    insertAnswer(db, id, text.leadId, answer, now),
    markAnswered(db, id, now),
    enqueue(db, customerAnswered, { answerId: id }, now),
    extendAnswered(db, id, now),
  ]);
  if (marked) return marked;
  // The purchase was sold back or removed, the lead or buyer was erased, the number was corrected, or the daily limit
  // was reached.
  if (!(await isAnswerStored(db, answer.ref))) log("info", "text_answer_unplaced", { reason: "not_taken" });
  return null;
}

/**
 * Marks a purchase's answers as read by the business. An earlier time than the stored time changes nothing.
 * @param upTo the time of the newest answer on the screen, epoch ms
 * @returns the updated purchase
 * @throws DomainError not_found if the purchase belongs to another business
 */
export async function markAnswersSeen(
  db: Db,
  scope: BusinessScope,
  id: string,
  upTo: number,
  now: number,
): Promise<PurchaseRow> {
  const isThere = exists(
    db
      .select({ id: customerAnswers.id })
      .from(customerAnswers)
      .where(and(eq(customerAnswers.purchaseId, id), eq(customerAnswers.at, upTo))),
  );
  const [row] = await db
    .update(leadPurchases)
    .set({ answersSeenAt: upTo, updatedAt: nextUpdatedAt(now) })
    .where(
      and(
        eq(leadPurchases.id, id),
        eq(leadPurchases.buyerId, scope.businessId),
        isNull(leadPurchases.removedAt),
        or(isNull(leadPurchases.answersSeenAt), lt(leadPurchases.answersSeenAt, upTo)),
        isThere,
      ),
    )
    .returning();
  const known = row ?? (await findPurchase(db, scope, id));
  if (!known) throw new DomainError("not_found", "Purchase not found");
  return known;
}

/**
 * Returns the statement that deletes the answers of purchases. @param purchases purchase ids, or a query for the ids
 */
export function deleteAnswers(db: Db, purchases: string[] | SQLWrapper) {
  return db.delete(customerAnswers).where(inArray(customerAnswers.purchaseId, purchases));
}

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

async function isAnswerStored(db: Db, gatewayRef: string): Promise<boolean> {
  return (await db.$count(customerAnswers, eq(customerAnswers.gatewayRef, gatewayRef))) > 0;
}

// Records what a customer does after the sale, for the business that bought the request.

/** Maximum updates of a kind for one buyer. Anyone may have the link. */
export const MAX_UPDATES = 50;

/** `id`: a stable one makes a repeat harmless. */
type CustomerUpdate = {
  id?: string;
  leadId: string;
  kind: CustomerUpdateKind;
  changes?: readonly CustomerChange[];
};

/**
 * Returns the statements that store a customer's act and mark the purchase as changed. Without a buyer they change
 * nothing, nor after `MAX_UPDATES` of a kind. The second statement returns the purchase.
 * @param when a condition on the lead's row before the batch's own change
 */
export function recordCustomerUpdate(
  db: Db,
  { id = newId("upd"), leadId, kind, changes = [] }: CustomerUpdate,
  now: number,
  when?: SQL,
) {
  const bought = and(
    eq(leadPurchases.leadId, leadId),
    ne(leadPurchases.paymentStatus, "refunded"),
    isNull(leadPurchases.removedAt),
  );
  const hasRoom = sql`(SELECT count(*) FROM customer_updates
    WHERE lead_id = ${leadId} AND kind = ${kind}) < ${MAX_UPDATES}`;
  const isRecorded = exists(
    db
      .select({ id: customerUpdates.id })
      .from(customerUpdates)
      .where(and(eq(customerUpdates.id, id), eq(customerUpdates.at, now))),
  );
  return [
    db
      .insert(customerUpdates)
      .select(
        db
          .select({
            id: sql`${id}`.as("id"),
            leadId: sql`${leadPurchases.leadId}`.as("lead_id"),
            kind: sql`${kind}`.as("kind"),
            changes: sql`${JSON.stringify(changes)}`.as("changes"),
            at: sql`${now}`.as("at"),
          })
          .from(leadPurchases)
          .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
          .where(and(bought, hasRoom, when)),
      )
      .onConflictDoNothing(),
    db
      .update(leadPurchases)
      .set({ updatedAt: nextUpdatedAt(now) })
      .where(and(bought, isRecorded))
      .returning({ purchaseId: leadPurchases.id, businessId: leadPurchases.buyerId }),
  ] as const;
}

/** Like `recordCustomerUpdate`, and enqueues the alert to the buyer's devices. */
export function announceCustomerUpdate(db: Db, update: CustomerUpdate, now: number, when?: SQL) {
  const id = update.id ?? newId("upd");
  const alert = enqueue(db, customerUpdate, { updateId: id }, now);
  return [...recordCustomerUpdate(db, { ...update, id }, now, when), alert] as const;
}

/** Notifies the buyer's open windows of a recorded act. */
export async function notifyBuyerOfUpdate(
  context: Context,
  purchases: readonly { purchaseId: string; businessId: string }[],
): Promise<void> {
  for (const { purchaseId, businessId } of purchases)
    await notifyRoom(context, { businessId, userId: "system" }, purchaseId);
}
