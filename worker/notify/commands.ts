import type { UserRow } from "../auth/rules.ts";
import { settings } from "../env.ts";
import { log } from "../log.ts";
import type { AppContext } from "../middleware/caller.ts";
import { canSendEmail, sendEmail } from "./email.ts";
import { notice } from "./rules.ts";

/**
 * Tells somebody by email what happened to their account, after the answer and where email is set up. A
 * failure is logged: what happened has happened.
 * @param user who is told, with the address they had before it changed
 */
export function tellByEmail(
  c: AppContext,
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
