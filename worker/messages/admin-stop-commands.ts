/** An admin's decision for one address or number: whether messages about requests go there. */
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";

import type { MessageStop } from "../../contract/messages.ts";
import type { Act } from "../identity/audit/act.ts";
import { auditWhen } from "../identity/audit/commands.ts";
import { counterKey } from "../identity/auth/guess-counters.ts";
import { type Db, database } from "../platform/db/client.ts";
import { emailStops, messages, textStops } from "../platform/db/schema.ts";
import { type Env, settings } from "../platform/env.ts";
import { DomainError } from "../platform/errors.ts";
import { phoneKey } from "../leads/quarantine/contact-keys.ts";
import { emailsStoppedSince, noteEmailStop } from "./email-stop-commands.ts";
import { addressHash } from "./email-stop-rules.ts";
import { numberHash } from "./stop-commands.ts";

/** A recipient, as the outbox writes it. */
type Recipient = { channel: MessageStop["channel"]; key: string };

/** @param address an email address or a phone number, as typed */
function recipientOf(address: string): Recipient {
  if (address.includes("@")) return { channel: "email", key: address.trim().toLowerCase() };
  const key = phoneKey(address);
  if (!key) throw new DomainError("invalid_input", "Please enter an email address or phone number");
  return { channel: "sms", key };
}

/** Returns since when messages about requests to an address or number are stopped. @throws DomainError invalid_input */
export async function findStop(db: Db, address: string): Promise<MessageStop> {
  const { channel, key } = recipientOf(address);
  if (channel === "email") return { channel, since: await emailsStoppedSince(db, addressHash(key)) };
  const [row] = await db
    .select({ since: textStops.since })
    .from(textStops)
    .where(eq(textStops.numberHash, numberHash(key)));
  return { channel, since: row?.since ?? null };
}

function isNoted({ channel, key }: Recipient): SQL {
  return channel === "email"
    ? sql`EXISTS (SELECT 1 FROM ${emailStops} WHERE ${emailStops.addressHash} = ${addressHash(key)})`
    : sql`EXISTS (SELECT 1 FROM ${textStops} WHERE ${textStops.numberHash} = ${numberHash(key)})`;
}

function noteTextStop(db: Db, number: string, isStopped: boolean, now: number) {
  const hash = numberHash(number);
  return isStopped
    ? db.insert(textStops).values({ numberHash: hash, since: now }).onConflictDoNothing()
    : db.delete(textStops).where(eq(textStops.numberHash, hash));
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
  const recipient = recipientOf(address);
  const { channel, key } = recipient;
  const { actor, now, requestId } = act;
  const noted = isNoted(recipient);
  const log = auditWhen(db, isStopped ? sql`NOT ${noted}` : noted, actor, {
    at: now,
    action: isStopped ? "message.stop" : "message.allow",
    subjectType: "recipient",
    subjectId: counterKey(settings(env).originHashKey, "stop", key),
    after: { channel },
    requestId,
  });
  const note =
    channel === "email"
      ? noteEmailStop(db, addressHash(key), isStopped, now)
      : noteTextStop(db, key, isStopped, now);
  const aboutRequests = and(
    eq(messages.recipient, key),
    eq(messages.channel, channel),
    eq(messages.state, "waiting"),
    isNotNull(messages.leadId),
  );
  const drop = db.update(messages).set({ state: "dropped" }).where(aboutRequests);
  await db.batch(isStopped ? [log, note, drop] : [log, note]);
}
