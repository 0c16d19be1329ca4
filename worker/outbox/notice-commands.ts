/** What somebody is told by email of their own account. */
import type { SQL } from "drizzle-orm";

import type { UserRow } from "../platform/session.ts";
import { type Db, database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import type { NoticeTemplate } from "../db/message-types.ts";
import { type AccountEmail, writeEmail } from "./enqueue-commands.ts";
import { canSendEmail } from "./email.ts";

type Told = Pick<UserRow, "id" | "email">;
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/** An email about a change, to be written in the change's batch; null where nobody is to be told. */
export type Word = (AccountEmail & { id: string }) | null;

/**
 * What somebody is to be told of a change to their account, where email is set up.
 * @param user who is told, with the address they had before it changed
 */
export function wordTo(env: Env, user: Told, template: NoticeTemplate): Word {
  if (!user.email || !canSendEmail(env)) return null;
  return { id: newId("msg"), template, to: user.email, userId: user.id };
}

/** The statement that writes it down, for the change's batch: none where nobody is told. */
export function writeWord(db: Db, word: Word, now: number, condition?: SQL) {
  return word ? [writeEmail(db, word.id, word, now, condition)] : [];
}

/** Sends what was written, after the answer; the minute's sweep makes up for whatever fails. */
export function sendWord(c: Context, word: Word): void {
  if (word) c.executionCtx.waitUntil(c.env.DELIVER?.([word.id]) ?? Promise.resolve());
}

/**
 * Writes and sends after the answer, where what happened is no batch of its own.
 * @param key what makes it the same as another, which is said once; left out: each is said
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
