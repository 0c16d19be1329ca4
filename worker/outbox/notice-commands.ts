/** Emails to users about a change to their own account. */
import type { Db } from "../platform/db/client.ts";
import type { Context } from "../platform/context.ts";
import { newId } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import type { UserRow } from "../platform/session.ts";
import { type AccountEmail, enqueueEmail } from "./commands.ts";
import { canSendEmail } from "./email.ts";
import type { Enqueued } from "./message.ts";

type Owner = Pick<UserRow, "id" | "email">;
type Call = { env: Context; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/** An email about a change, to enqueue in the change's batch; null without a recipient. */
export type Notice = (AccountEmail<object> & { id: string }) | null;

/**
 * Returns the email about a change to a user's account. Null if email is not configured or the user has no address.
 * @param user the recipient, with the address from before the change
 * @param subject the dedupe key's data; without it, every notice is sent
 */
export function noticeTo<Subject extends object>(
  context: Context,
  user: Owner,
  message: Enqueued<Subject>,
  subject: Subject | Record<string, never> = {},
): Notice {
  if (!user.email || !canSendEmail(context)) return null;
  return { id: newId("msg"), message: message as Enqueued<object>, subject, to: user.email, userId: user.id };
}

/** Returns the statement that enqueues the email in the change's batch. Empty if there is no email. */
export function enqueueNotice(db: Db, notice: Notice, now: number) {
  return notice ? [enqueueEmail(db, notice.id, notice, now)] : [];
}

/** Sends the email after the response. If that fails, the next sweep sends it. */
export function sendNotice(c: Call, notice: Notice): void {
  if (notice) c.executionCtx.waitUntil(c.env.DELIVER?.([notice.id]) ?? Promise.resolve());
}

/** Enqueues and sends a notice after the response, for an event without a batch of its own. */
export function notifyByEmail<Subject extends object>(
  c: Call,
  user: Owner,
  message: Enqueued<Subject>,
  subject: Subject | Record<string, never> = {},
): void {
  const notice = noticeTo(c.env, user, message, subject);
  if (!notice) return;
  const sent = Promise.all(enqueueNotice(c.env.db, notice, Date.now()))
    .then(() => c.env.DELIVER?.([notice.id]))
    .catch((error: unknown) => log("error", "notice_not_written", { userId: user.id, error }));
  c.executionCtx.waitUntil(sent);
}
