/** Sends emails to unconfirmed addresses, after the response. */
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { issueEmailLink } from "./email-link-commands.ts";
import type { UserRow } from "../../platform/session.ts";

type Recipient = Parameters<typeof issueEmailLink>[1];

async function sendLink(context: Context, recipient: Recipient, origin: string): Promise<void> {
  const messageId = await issueEmailLink(context.db, recipient, { origin, now: Date.now() });
  if (messageId !== null) await context.DELIVER?.([messageId]);
}

/** Emails a confirmation link to an account's pending address. */
export function mailConfirmation(
  c: { env: Context; executionCtx: Pick<ExecutionContext, "waitUntil">; req: { url: string } },
  { id: userId, pendingEmail: email }: UserRow,
): void {
  if (!email || !canSendEmail(c.env)) return;
  c.executionCtx.waitUntil(
    sendLink(c.env, { userId, email }, new URL(c.req.url).origin).catch((error: unknown) =>
      log("error", "confirm_mail_failed", { userId, error }),
    ),
  );
}
