import { verifyPassword } from "../auth/password-hash.ts";
import { recordFailure } from "../auth/sign-in-commands.ts";
import type { AppContext } from "../../platform/app.ts";
import { DomainError } from "../../platform/errors.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import type { Session } from "../../platform/session.ts";
import { hasPasskey } from "./queries.ts";

/**
 * Checks the password of a signed-in user. Limits attempts, and records a wrong password as a failed sign-in.
 * @throws DomainError invalid_input for a wrong password; passkey_needed if the password alone is not enough; TryLater
 *   too_many_requests
 */
export async function confirmPassword(
  c: AppContext,
  { id, user, secondFactorAt }: Session,
  password: string,
): Promise<void> {
  // Count by session, so that a stolen session cannot use up the owner's tries.
  await countTry(c.env.LOGIN_PER_ACCOUNT, id);
  // This session started before the account had a passkey. The password alone must not be enough.
  if (secondFactorAt === null && (await hasPasskey(c.env.db, user.id))) {
    throw new DomainError("passkey_needed", "This account has a passkey. Please confirm with it.");
  }
  if (await verifyPassword(password, user.passwordHash)) return;
  const { userAgent } = c.env.CALLER;
  const tried = { userId: user.id, userAgent, method: "password", now: Date.now() } as const;
  c.executionCtx.waitUntil(recordFailure(c.env, tried));
  const message = "That password isn't right. Please try again.";
  throw new DomainError("invalid_input", message, { password: message });
}
