import type { UserRow } from "../auth/rules.ts";
import { type Env, settings } from "../env.ts";
import { log } from "../log.ts";
import { canSendEmail, sendEmail } from "./email.ts";
import { notice } from "./messages.ts";

/**
 * Tells somebody by email what happened to their account, after the answer and where email is set up. A
 * failure is logged: what happened has happened.
 * @param c the request's bindings and what lets work go on after its answer: a route's context
 * @param user who is told, with the address they had before it changed
 */
export function tellByEmail(
  c: { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> },
  user: Pick<UserRow, "id" | "firstName" | "email">,
  what: Parameters<typeof notice>[2],
): void {
  if (!user.email || !canSendEmail(c.env)) return;
  const message = { to: user.email, ...notice(user, settings(c.env), what) };
  c.executionCtx.waitUntil(
    sendEmail(c.env, message).catch((error: unknown) =>
      log("error", "notice_not_sent", { userId: user.id, error }),
    ),
  );
}
