/** What is written to an address that somebody gave and has yet to confirm. It runs after the answer. */
import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { canSendEmail } from "../outbox/email.ts";
import { issueEmailLink } from "./email-link-commands.ts";
import { findAddressHolder } from "./queries.ts";
import type { UserRow } from "../platform/session.ts";

type Asked = { origin: string; now: number };

async function writeTo(env: Env, user: UserRow, email: string, asked: Asked): Promise<void> {
  const db = database(env.DB);
  // The same questions, whoever's the address is.
  const holder = await findAddressHolder(db, email, user.id);
  const person = { userId: user.id, email };
  const messageId = await issueEmailLink(db, person, { ...asked, holderId: holder?.id ?? null });
  if (messageId !== null) await env.DELIVER?.([messageId]);
}

/**
 * Sends the address an account waits for a link to confirm it; where it is another account's already, that
 * one's person is told instead. After the answer: neither what is said nor how long it takes tells which.
 */
export function mailConfirmation(
  c: { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil">; req: { url: string } },
  user: UserRow,
): void {
  const { pendingEmail } = user;
  if (!pendingEmail || !canSendEmail(c.env)) return;
  const asked = { origin: new URL(c.req.url).origin, now: Date.now() };
  c.executionCtx.waitUntil(
    writeTo(c.env, user, pendingEmail, asked).catch((error: unknown) =>
      log("error", "confirm_mail_failed", { userId: user.id, error }),
    ),
  );
}
