/** One-time links to all requests of an email address. */
import { and, exists, sql } from "drizzle-orm";

import { REQUEST_LIST_MS } from "../../../contract/my-requests.ts";
import { MAIL_INTERVAL_MS } from "../../identity/auth/rules.ts";
import { consumeSecret, createSecret } from "../../identity/auth/secret-commands.ts";
import { hashToken, newToken } from "../../identity/auth/tokens.ts";
import { enqueue, hasDailyMaximum } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads, messages } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { isSentFrom } from "./list-queries.ts";

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
  const template = "request_list";
  const recipient = sql`${email}`;
  const isTooSoon = sql`EXISTS (SELECT 1 FROM ${messages} AS earlier WHERE earlier.recipient = ${recipient}
    AND earlier.template = ${template} AND earlier.created_at > ${now - MAIL_INTERVAL_MS})`;
  const where = and(
    exists(db.select({ id: leads.id }).from(leads).where(isSentFrom(email))),
    sql`NOT ${isTooSoon}`,
    sql`NOT ${hasDailyMaximum(recipient, template, now)}`,
  );
  const id = newId("msg");
  try {
    await enqueue(db, template, { id, to: { channel: "email", recipient, where }, subject: { origin } }, now);
    await context.DELIVER?.([id]);
  } catch (error) {
    log("error", "request_list_mail_failed", { error });
  }
}

/** Creates a one-time link to all requests of an address. Only its hash is stored. @returns the link's token */
export async function createListLink(db: Db, email: string, now: number): Promise<string> {
  const token = newToken();
  const link = { purpose: "request_list", hash: hashToken(token), email } as const;
  await createSecret(db, { ...link, expiresAt: now + REQUEST_LIST_MS }, now);
  return token;
}

/**
 * Uses up a link, and replaces its secret by one for the page that shows the list. Only one of two concurrent calls
 * succeeds.
 * @returns the new secret, which works for an hour
 * @throws DomainError link_ended if the link is used, expired or unknown
 */
export async function openListLink(db: Db, token: string, now: number): Promise<string> {
  const opened = newToken();
  const link = { purpose: "request_list", hash: hashToken(token) } as const;
  const renewed = { hash: hashToken(opened), expiresAt: now + REQUEST_LIST_MS };
  if (!(await consumeSecret(db, link, now, renewed))) throw new DomainError("link_ended");
  return opened;
}
