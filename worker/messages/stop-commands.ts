/**
 * Opt-outs of an address or a number from messages about requests: by its owner, or by an admin. Also delivery reports,
 * which come from the same gateway.
 */
import { and, eq, gt, inArray, isNotNull, sql } from "drizzle-orm";

import type { MessageStop } from "../../contract/messages.ts";
import type { Act } from "../identity/audit/act.ts";
import { auditWhen } from "../identity/audit/commands.ts";
import { counterKey } from "../identity/auth/guess-counters.ts";
import { phoneKey } from "../leads/quarantine/contact-keys.ts";
import type { Db } from "../platform/db/client.ts";
import { messages, messageStops } from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import { DomainError } from "../platform/errors.ts";
import type { GatewayWord } from "./sms-gateway.ts";
import { addressHash, numberHash } from "./stop-rules.ts";

/** Returns since when a recipient has opted out, epoch ms; null if they have not. */
export async function stoppedSince(db: Db, recipientHash: string): Promise<number | null> {
  const [row] = await db
    .select({ since: messageStops.since })
    .from(messageStops)
    .where(eq(messageStops.recipientHash, recipientHash));
  return row?.since ?? null;
}

/**
 * Returns the statement that opts a recipient out, or in again. Waiting messages are checked when they are sent.
 * Idempotent.
 * @param now epoch ms
 */
export function noteStop(db: Db, recipientHash: string, isStopped: boolean, now: number) {
  return isStopped
    ? db.insert(messageStops).values({ recipientHash, since: now }).onConflictDoNothing()
    : db.delete(messageStops).where(eq(messageStops.recipientHash, recipientHash));
}

/** A recipient: `key` as the outbox writes it, `hash` as a stop stores it. */
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

/** Returns since when messages about requests to an address or number are stopped. @throws DomainError invalid_input */
export async function findStop(db: Db, address: string): Promise<MessageStop> {
  const { channel, hash } = stopTargetOf(address);
  return { channel, since: await stoppedSince(db, hash) };
}

/**
 * Stops messages about requests to one address or number, or allows them again. A stop drops waiting ones in the same
 * batch. Emails about the recipient's own account still go.
 *
 * The audit log outlives an erasure, so it names the recipient by a keyed hash. An admin who knows the address can
 * find its lines. The lines reveal no address to other readers.
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
    subjectId: counterKey(context.settings.originHashKey, "stop", key),
    after: { channel },
    requestId,
  });
  const note = noteStop(db, hash, isStopped, now);
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
export async function takeWord(db: Db, word: GatewayWord, now: number): Promise<void> {
  if (word.kind === "report")
    await db
      .update(messages)
      .set({ state: word.state })
      .where(
        and(
          eq(messages.id, word.ref),
          eq(messages.channel, "sms"),
          // A report is as good as the gateway's own answer, which may be late, lost or unreadable.
          inArray(messages.state, ["waiting", "sent", "failed"]),
          gt(messages.attempts, 0),
        ),
      );
  if (word.kind === "stop")
    await db.batch([
      noteStop(db, numberHash(word.from), true, now),
      db
        .update(messages)
        .set({ state: "dropped" })
        .where(
          and(eq(messages.recipient, word.from), eq(messages.channel, "sms"), eq(messages.state, "waiting")),
        ),
    ]);
}
