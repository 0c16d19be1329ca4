/** Sends emails to unconfirmed addresses, after the response. */
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { issueEmailLink } from "./email-link-commands.ts";
import { findAddressHolder } from "./queries.ts";
import type { UserRow } from "../../platform/session.ts";

type LinkOptions = { origin: string; now: number };

async function sendLink(context: Context, user: UserRow, email: string, options: LinkOptions): Promise<void> {
  const db = context.db;
  // Run the same queries whether or not another account has the address.
  const holder = await findAddressHolder(db, email, user.id);
  const recipient = { userId: user.id, email };
  const messageId = await issueEmailLink(db, recipient, { ...options, holderId: holder?.id ?? null });
  if (messageId !== null) await context.DELIVER?.([messageId]);
}

/**
 * Emails a confirmation link to an account's pending address. If another account has the address, emails its owner a
 * notice instead. Runs after the response, so that its content and timing do not reveal the difference.
 */
export function mailConfirmation(
  c: { env: Context; executionCtx: Pick<ExecutionContext, "waitUntil">; req: { url: string } },
  user: UserRow,
): void {
  const { pendingEmail } = user;
  if (!pendingEmail || !canSendEmail(c.env)) return;
  const options = { origin: new URL(c.req.url).origin, now: Date.now() };
  c.executionCtx.waitUntil(
    sendLink(c.env, user, pendingEmail, options).catch((error: unknown) =>
      log("error", "confirm_mail_failed", { userId: user.id, error }),
    ),
  );
}
