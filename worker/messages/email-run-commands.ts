/** Sends the emails that a run has leased. */
import { MINUTE_MS } from "../../contract/durations.ts";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";

import { type Db, database } from "../platform/db/client.ts";
import { messages } from "../platform/db/schema.ts";
import { type Env, settings } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { sendEmail } from "../outbox/email.ts";
import { leftToday, takenSince } from "./channel-queries.ts";
import { linkMaker, makeMail, NotKnownYet } from "./email-content-commands.ts";
import { type Mail, renderMail } from "./email-layout.ts";
import { EMAILS_A_MINUTE, meaningOf } from "./email-rules.ts";
import { retryAfter } from "./push-rules.ts";
import type { Result } from "./results.ts";

type MessageRow = typeof messages.$inferSelect;

/** Returns how many emails about requests may be leased now. Strangers cause them, so they are limited. */
export function allowanceForStrangers(db: Db, now: number) {
  return sql`max(0, min(${EMAILS_A_MINUTE} - (${takenSince(db, "email", now - MINUTE_MS)}),
    ${leftToday(db, "email", now)}))`;
}

/** Emails that only users with an account cause, then emails that strangers cause. */
export const EMAIL_KINDS = [
  and(eq(messages.channel, "email"), isNull(messages.leadId))!,
  and(eq(messages.channel, "email"), isNotNull(messages.leadId))!,
] as const;

/** The state of one run. `busyForMs`: how long the service takes no emails; null while it does. */
export type EmailRun = { busyForMs: number | null };

/** The wait before Stripe is asked again for an email's content. */
const ASKED_AGAIN_MS = 15 * MINUTE_MS;

/** Builds an email. Returns "later" while Stripe, which knows part of its content, does not answer. */
async function wordsOf(env: Env, message: MessageRow, now: number): Promise<Mail | "later" | null> {
  try {
    return await makeMail(env, message, linkMaker(database(env.DB), now), now);
  } catch (error) {
    if (!(error instanceof NotKnownYet)) throw error;
    log("warn", "email_words_wait", {
      messageId: message.id,
      template: message.template,
      error: error.cause,
    });
    return "later";
  }
}

export async function sendOneEmail(
  env: Env,
  message: MessageRow,
  run: EmailRun,
  now: number,
): Promise<Result> {
  const { id, due, recipient, attempts, template } = message;
  if (message.expiresAt <= now) return { id, due, state: "expired" };
  if (run.busyForMs !== null) return { id, due: now + run.busyForMs, state: "waiting", untried: true };
  const mail = recipient ? await wordsOf(env, message, now) : null;
  if (!mail) return { id, due, state: "dropped" };
  if (mail === "later") return { id, due: now + ASKED_AGAIN_MS, state: "waiting", untried: true };
  const { contactPhone, contactEmail } = settings(env);
  const letter = renderMail(mail, { name: "Naturestrip", contactPhone, contactEmail });
  try {
    await sendEmail(env, { to: recipient!, ...letter });
    return { id, due, state: "sent" };
  } catch (error) {
    const { kind, code } = meaningOf(error);
    log("warn", "email_not_taken", { messageId: id, template, attempts, code, error });
    if (kind === "refused") return { id, due, state: "failed" };
    const waitMs = retryAfter(attempts);
    if (kind === "busy") run.busyForMs = Math.max(waitMs, MINUTE_MS);
    return { id, due: now + waitMs, state: "waiting" };
  }
}
