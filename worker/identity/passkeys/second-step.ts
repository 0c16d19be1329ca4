import { parse, serialize } from "hono/utils/cookie";

import type { Session, UserRow } from "../../platform/caller.ts";
import type { AppContext } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { hashToken, newToken } from "../auth/rules.ts";
import { recordFailure } from "../auth/sign-in-commands.ts";
import { SECOND_STEP_MS } from "./rules.ts";
import { hasPasskey, openSecondStep } from "./store.ts";

/**
 * Opens a second step after a correct password, if the account has a passkey.
 * @returns false for an account without a passkey; the password is then enough
 */
export async function requireSecondStep(c: AppContext, user: UserRow): Promise<boolean> {
  const db = c.env.db;
  if (!(await hasPasskey(db, user.id))) return false;
  await openSecondStep(db, startSignIn(c), user.id, Date.now());
  return true;
}

// The cookie that identifies a browser during sign-in. It grants nothing by itself.

function cookieName(secure: boolean): string {
  return secure ? "__Host-sign-in" : "sign-in";
}

function write(c: AppContext, token: string) {
  const { secure } = c.env.CALLER;
  const cookie = serialize(cookieName(secure), token, {
    path: "/",
    httpOnly: true,
    secure: true,
    sameSite: "Strict",
    maxAge: token ? SECOND_STEP_MS / 1000 : 0,
  });
  c.header("Set-Cookie", cookie, { append: true });
}

/**
 * Sets a new sign-in token in the browser's cookie.
 * @returns the hash of the token, which identifies the browser in D1
 */
export function startSignIn(c: AppContext): string {
  const token = newToken();
  write(c, token);
  return hashToken(token);
}

/** Returns the hash of the browser's sign-in token; null if it has none. */
export function signInHolder(c: AppContext): string | null {
  const name = cookieName(c.env.CALLER.secure);
  const token = parse(c.req.header("Cookie") ?? "", name)[name];
  return token ? hashToken(token) : null;
}

export function endSignIn(c: AppContext): void {
  write(c, "");
}

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
