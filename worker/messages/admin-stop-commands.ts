/** An admin's decision for one address or number: whether messages about requests go there. */
import { and, eq, isNotNull, sql } from "drizzle-orm";

import type { MessageStop } from "../../contract/messages.ts";
import type { Act } from "../identity/audit/act.ts";
import { auditWhen } from "../identity/audit/commands.ts";
import { counterKey } from "../identity/auth/guess-counters.ts";
import { type Db, database } from "../platform/db/client.ts";
import { messages, messageStops } from "../platform/db/schema.ts";
import { type Env, settings } from "../platform/env.ts";
import { DomainError } from "../platform/errors.ts";
import { phoneKey } from "../leads/quarantine/contact-keys.ts";
import { noteStop, stoppedSince } from "./email-stop-commands.ts";
import { addressHash } from "./email-stop-rules.ts";
import { numberHash } from "./stop-commands.ts";

/** A recipient: `key` as the outbox writes it, `hash` as a stop stores it. */
type Recipient = { channel: MessageStop["channel"]; key: string; hash: string };

/** @param address an email address or a phone number, as typed */
function recipientOf(address: string): Recipient {
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
  const { channel, hash } = recipientOf(address);
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
export async function setStop(env: Env, address: string, isStopped: boolean, act: Act): Promise<void> {
  const db = database(env.DB);
  const { channel, key, hash } = recipientOf(address);
  const { actor, now, requestId } = act;
  const noted = sql`EXISTS (SELECT 1 FROM ${messageStops} WHERE ${messageStops.recipientHash} = ${hash})`;
  const log = auditWhen(db, isStopped ? sql`NOT ${noted}` : noted, actor, {
    at: now,
    action: isStopped ? "message.stop" : "message.allow",
    subjectType: "recipient",
    subjectId: counterKey(settings(env).originHashKey, "stop", key),
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
