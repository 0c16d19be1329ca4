/**
 * Records what Cloudflare's Email Service reports after it has accepted an email: that the address does not exist, or
 * that its owner calls our email spam. https://developers.cloudflare.com/email-service/platform/event-subscriptions/
 */
import { and, eq, gt, inArray, isNotNull } from "drizzle-orm";
import * as z from "zod/mini";

import { HOUR_MS } from "../../contract/durations.ts";
import { emailKey } from "../leads/quarantine/contact-keys.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { leads } from "../platform/db/leads.ts";
import { messages } from "../platform/db/messages.ts";
import { log } from "../platform/log.ts";
import { recordStop } from "./stop-commands.ts";
import { addressHash } from "./stop-rules.ts";

/** The queue that receives the events. */
export const EMAIL_EVENTS_QUEUE = "naturestrip-email-events";

const emailEventSchema = z.object({
  type: z.string(),
  payload: z.object({
    recipient: z.string().check(z.maxLength(320)),
    bounce: z.optional(z.object({ type: z.string() })),
  }),
});
type EmailEvent = z.infer<typeof emailEventSchema>;

/** Only an address's latest emails are marked: an earlier one may have arrived. */
const BOUNCES_WITHIN_MS = HOUR_MS;

/**
 * Marks the address's latest emails and its requests as bounced. Messages about these requests that have a text version
 * then go by text.
 */
async function recordBounce(db: Db, recipient: string, now: number): Promise<void> {
  const latest = and(
    eq(messages.recipient, recipient),
    eq(messages.channel, "email"),
    // The service's answer to the email may still be on its way to D1.
    inArray(messages.state, ["waiting", "sent", "failed"]),
    gt(messages.triedAt, now - BOUNCES_WITHIN_MS),
  );
  await db.batch([
    db.update(messages).set({ state: "bounced" }).where(latest),
    db
      .update(leads)
      .set({ emailBouncedAt: now })
      .where(eq(leads.emailKey, emailKey(recipient) ?? "")),
  ]);
}

/** Stops emails about requests to an address, as if its owner had asked for it. */
async function recordComplaint(db: Db, recipient: string, now: number): Promise<void> {
  const waiting = and(
    eq(messages.recipient, recipient),
    eq(messages.channel, "email"),
    eq(messages.state, "waiting"),
    isNotNull(messages.leadId),
  );
  await db.batch([
    recordStop(db, addressHash(recipient), true, now),
    db.update(messages).set({ state: "dropped" }).where(waiting),
  ]);
}

/** Applies an event. Idempotent. Other events, such as a delivery or a temporary refusal, change nothing. */
async function recordEvent(db: Db, { type, payload }: EmailEvent, now: number): Promise<void> {
  const recipient = payload.recipient.trim().toLowerCase();
  if (type === "cf.email.sending.message.complained") return recordComplaint(db, recipient, now);
  if (type === "cf.email.sending.message.bounced" && payload.bounce?.type === "hard")
    return recordBounce(db, recipient, now);
}

/** Records the events of a queue batch. Acknowledges an unreadable one: a retry cannot fix it. */
export async function recordEmailEvents({ messages: events }: MessageBatch, { db }: Context): Promise<void> {
  for (const event of events) {
    const { success, data } = emailEventSchema.safeParse(event.body);
    if (!success) log("error", "email_event_unreadable", { queuedId: event.id });
    try {
      if (data) await recordEvent(db, data, Date.now());
      event.ack();
    } catch (error) {
      log("warn", "email_event_delayed", { queuedId: event.id, attempts: event.attempts, error });
      event.retry();
    }
  }
}
