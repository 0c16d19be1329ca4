/** What an admin decides for one address or number: whether messages about requests go there. */
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";

import type { MessageStop } from "../../contract/messages.ts";
import type { Act } from "../audit/act.ts";
import { auditWhen } from "../audit/commands.ts";
import { counterKey } from "../auth/guess-counters.ts";
import { type Db, database } from "../db/client.ts";
import { emailStops, messages, textStops } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { phoneKey } from "../quarantine/contact-keys.ts";
import { emailsStoppedSince, noteEmailStop } from "./email-stop-commands.ts";
import { addressHash } from "./email-stop-rules.ts";
import { numberHash } from "./stop-commands.ts";

/** Where messages go, as the outbox writes it. */
type Recipient = { channel: MessageStop["channel"]; key: string };

/** @param address an email address or a phone number, as it was typed */
function recipientOf(address: string): Recipient {
  if (address.includes("@")) return { channel: "email", key: address.trim().toLowerCase() };
  const key = phoneKey(address);
  if (!key) throw new DomainError("invalid_input", "Please enter an email address or phone number");
  return { channel: "sms", key };
}

/** Whether messages about requests to an address or number are stopped. @throws DomainError invalid_input */
export async function findStop(db: Db, address: string): Promise<MessageStop> {
  const { channel, key } = recipientOf(address);
  if (channel === "email") return { channel, since: await emailsStoppedSince(db, addressHash(key)) };
  const [row] = await db
    .select({ since: textStops.since })
    .from(textStops)
    .where(eq(textStops.numberHash, numberHash(key)));
  return { channel, since: row?.since ?? null };
}

/** Whether a stop of a recipient is noted, as SQL. */
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
 * Stops messages about requests to one address or number, or lets them go again. What waits there is dropped in the
 * same batch. Emails about somebody's own account go all the same.
 *
 * The log names the recipient by a keyed hash, which finds the lines about an address that is known and tells no
 * address to whoever reads them: it outlives an erasure.
 * @throws DomainError invalid_input for what is neither
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
