/** Emails to users about their own account. */
import type { SQL } from "drizzle-orm";

import type { UserRow } from "../platform/session.ts";
import { type Db, database } from "../platform/db/client.ts";
import type { Env } from "../platform/env.ts";
import { newId } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import type { NoticeTemplate } from "../platform/db/message-types.ts";
import { type AccountEmail, writeEmail } from "./enqueue-commands.ts";
import { canSendEmail } from "./email.ts";

type Told = Pick<UserRow, "id" | "email">;
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/** An email about a change, for the change's batch; null when there is no recipient. */
export type Word = (AccountEmail & { id: string }) | null;

/**
 * Returns the email about a change to a user's account. Null when email is not set up or the user has no address.
 * @param user the recipient, with the address from before the change
 */
export function wordTo(env: Env, user: Told, template: NoticeTemplate): Word {
  if (!user.email || !canSendEmail(env)) return null;
  return { id: newId("msg"), template, to: user.email, userId: user.id };
}

/** Returns the statement that enqueues the email, for the change's batch. Empty when there is no email. */
export function writeWord(db: Db, word: Word, now: number, condition?: SQL) {
  return word ? [writeEmail(db, word.id, word, now, condition)] : [];
}

/** Sends the email after the response. If that fails, the sweep that runs each minute sends it. */
export function sendWord(c: Context, word: Word): void {
  if (word) c.executionCtx.waitUntil(c.env.DELIVER?.([word.id]) ?? Promise.resolve());
}

/**
 * Enqueues and sends an email after the response, for an event without a batch of its own.
 * @param key the dedupe key: emails with the same key are sent once. If left out, each is sent
 */
export function tellByEmail(c: Context, user: Told, template: NoticeTemplate, key?: string): void {
  const told = wordTo(c.env, user, template);
  if (!told) return;
  const word = key === undefined ? told : { ...told, key };
  const sent = Promise.all(writeWord(database(c.env.DB), word, Date.now()))
    .then(() => c.env.DELIVER?.([word.id]))
    .catch((error: unknown) => log("error", "notice_not_written", { userId: user.id, error }));
  c.executionCtx.waitUntil(sent);
}
