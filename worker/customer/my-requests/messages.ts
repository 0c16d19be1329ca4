import { and, sql } from "drizzle-orm";

import { MINUTE_MS } from "../../../contract/durations.ts";
import { REQUEST_LIST_MS } from "../../../contract/my-requests.ts";
import { createSecret } from "../../identity/auth/one-time-secret-store.ts";
import { hashToken, MAIL_INTERVAL_MS, newToken } from "../../identity/auth/rules.ts";
import { hasDailyMaximum } from "../../outbox/channel-queries.ts";
import { enqueue } from "../../outbox/commands.ts";
import { mailMessage, UNWANTED } from "../../outbox/message.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { messages } from "../../platform/db/messages.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { isSentFrom } from "./store.ts";

/** Creates a one-time link to all requests of an address. Only its hash is stored. @returns the link's token */
export async function createListLink(db: Db, email: string, now: number): Promise<string> {
  const token = newToken();
  const link = { purpose: "request_list", hash: hashToken(token), email } as const;
  await createSecret(db, { ...link, expiresAt: now + REQUEST_LIST_MS }, now);
  return token;
}

/**
 * Goes to an address that has requests, at most once in five minutes. Contains no details of the requests: a stranger
 * may have entered the address. `email`: in lower case.
 */
export const requestList = mailMessage({
  name: "request_list",
  reason: "Someone asked for a link to all requests sent with this address.",
  lifetimeMs: 30 * MINUTE_MS,
  to: ({ email, origin }: { email: string; origin: string }, now) => {
    const recipient = sql`${email}`;
    const isTooSoon = sql`EXISTS (SELECT 1 FROM ${messages} AS earlier WHERE earlier.recipient = ${recipient}
      AND earlier.template = 'request_list' AND earlier.created_at > ${now - MAIL_INTERVAL_MS})`;
    const where = and(
      sql`EXISTS (SELECT 1 FROM ${leads} WHERE ${isSentFrom(email)})`,
      sql`NOT ${isTooSoon}`,
      sql`NOT ${hasDailyMaximum(recipient, "request_list", now)}`,
    );
    return { channel: "email", recipient, where, payload: { origin } };
  },
  load: async ({ db, message, now }) => {
    const { payload, recipient } = message;
    if (!recipient) return UNWANTED;
    return { link: `${payload.origin ?? ""}/my-requests/${await createListLink(db, recipient, now)}` };
  },
  email: ({ link }) => ({
    subject: "Your requests at Naturestrip",
    parts: [
      "Hello,",
      "Someone (hopefully you) asked for a link to all requests that were sent with this email address.",
      { link, words: "See Your Requests" },
      "The link works once, for up to an hour. If it wasn't you, you don't need to do anything. Only a person who can read this mailbox can see your requests.",
    ],
  }),
});

/**
 * Sends a link to all requests of an email address, if there are any. Runs after the response, so that content and
 * timing do not reveal whether the address has requests. Sends at most one email in five minutes, and three a day.
 * @param email in lower case
 * @param origin origin of the link, such as "https://naturestrip.example"
 */
export async function mailRequestList(
  context: Context,
  { email, origin, now }: { email: string; origin: string; now: number },
): Promise<void> {
  const { db } = context;
  const id = newId("msg");
  try {
    await enqueue(db, requestList, { email, origin }, now, { id });
    await context.DELIVER?.([id]);
  } catch (error) {
    log("error", "request_list_mail_failed", { error });
  }
}
