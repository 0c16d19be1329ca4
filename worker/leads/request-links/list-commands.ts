/** One-time links to all requests of an email address. */

import { REQUEST_LIST_MS } from "../../../contract/my-requests.ts";
import { consumeSecret } from "../../identity/auth/secret-commands.ts";
import { hashToken, newToken } from "../../identity/auth/tokens.ts";
import { enqueue } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { requestList } from "./messages.ts";

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
