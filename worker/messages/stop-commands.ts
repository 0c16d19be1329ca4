/**
 * Saves opt-outs from messages about requests, by the recipient or an admin. Also saves delivery reports, which come
 * from the same gateway.
 */
import { and, eq, gt, inArray, isNotNull, sql } from "drizzle-orm";

import type { MessageStop } from "../../contract/messages.ts";
import { type Act, auditWhen } from "../identity/audit/store.ts";
import { phoneKey } from "../../contract/phone.ts";
import type { Db } from "../platform/db/client.ts";
import { messages, messageStops } from "../platform/db/messages.ts";
import type { Context } from "../platform/context.ts";
import { shortKeyedHash } from "../platform/keys.ts";
import { DomainError } from "../platform/errors.ts";
import type { GatewayEvent } from "./sms-gateway.ts";
import { addressHash, numberHash } from "./stop-rules.ts";

/** Returns when a recipient opted out, epoch ms; null if they have not. */
export async function stoppedSince(db: Db, recipientHash: string): Promise<number | null> {
  const [row] = await db
    .select({ since: messageStops.since })
    .from(messageStops)
    .where(eq(messageStops.recipientHash, recipientHash));
  return row?.since ?? null;
}

/**
 * Returns the statement that opts a recipient out, or in again. Senders check waiting messages. Idempotent.
 * @param now epoch ms
 */
export function recordStop(db: Db, recipientHash: string, isStopped: boolean, now: number) {
  return isStopped
    ? db.insert(messageStops).values({ recipientHash, since: now }).onConflictDoNothing()
    : db.delete(messageStops).where(eq(messageStops.recipientHash, recipientHash));
}

/** A recipient: `key` as stored in the outbox, `hash` as stored with an opt-out. */
type StopTarget = { channel: MessageStop["channel"]; key: string; hash: string };

/** @param address an email address or a phone number, as typed */
function stopTargetOf(address: string): StopTarget {
  if (address.includes("@")) {
    const email = address.trim().toLowerCase();
    return { channel: "email", key: email, hash: addressHash(email) };
  }
  const key = phoneKey(address);
  if (!key) throw new DomainError("invalid_input", "Please enter an email address or phone number");
  return { channel: "sms", key, hash: numberHash(key) };
}

/** Returns whether an address or number has opted out of messages about requests, and since when.
 * @throws DomainError invalid_input if it is neither an address nor a number
 */
export async function findStop(db: Db, address: string): Promise<MessageStop> {
  const { channel, hash } = stopTargetOf(address);
  return { channel, since: await stoppedSince(db, hash) };
}

/**
 * Stops messages about requests to an address or number, or allows them again. A stop also drops waiting messages in
 * the same batch. Emails about the recipient's account are still sent.
 *
 * The audit log survives an erasure, so it stores a keyed hash of the recipient. An admin who knows the address can
 * find its entries. Other readers cannot find the address.
 * @throws DomainError invalid_input if it is neither an address nor a number
 */
export async function setStop(
  context: Context,
  address: string,
  isStopped: boolean,
  act: Act,
): Promise<void> {
  const db = context.db;
  const { channel, key, hash } = stopTargetOf(address);
  const { actor, now, requestId } = act;
  const noted = sql`EXISTS (SELECT 1 FROM ${messageStops} WHERE ${messageStops.recipientHash} = ${hash})`;
  const log = auditWhen(db, isStopped ? sql`NOT ${noted}` : noted, actor, {
    at: now,
    action: isStopped ? "message.stop" : "message.allow",
    subjectType: "recipient",
    subjectId: shortKeyedHash(context.settings.originHashKey, "stop", key),
    after: { channel },
    requestId,
  });
  const note = recordStop(db, hash, isStopped, now);
  const aboutRequests = and(
    eq(messages.recipient, key),
    eq(messages.channel, channel),
    eq(messages.state, "waiting"),
    isNotNull(messages.leadId),
  );
  const drop = db.update(messages).set({ state: "dropped" }).where(aboutRequests);
  await db.batch(isStopped ? [log, note, drop] : [log, note]);
}

/** Applies a gateway event. Idempotent. */
export async function handleGatewayEvent(db: Db, event: GatewayEvent, now: number): Promise<void> {
  if (event.kind === "report")
    await db
      .update(messages)
      .set({ state: event.state })
      .where(
        and(
          eq(messages.id, event.ref),
          eq(messages.channel, "sms"),
          // A report counts like the gateway's response, which may be late, lost or unreadable.
          inArray(messages.state, ["waiting", "sent", "failed"]),
          gt(messages.attempts, 0),
        ),
      );
  if (event.kind === "stop")
    await db.batch([
      recordStop(db, numberHash(event.from), true, now),
      db
        .update(messages)
        .set({ state: "dropped" })
        .where(
          and(eq(messages.recipient, event.from), eq(messages.channel, "sms"), eq(messages.state, "waiting")),
        ),
    ]);
}
