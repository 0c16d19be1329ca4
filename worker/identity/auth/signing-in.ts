/** The last step of every sign-in method: a new session replaces the browser's old one. */
import type { AppContext } from "../../platform/context.ts";
import type { SignInMethod } from "../../../contract/auth.ts";
import { HOUR_MS } from "../../../contract/durations.ts";
import { actOf } from "../audit/store.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import { leaveImpersonation } from "../impersonation/commands.ts";
import { sessionCookieHeader } from "../identify-caller.ts";
import { notifyByEmail } from "../../outbox/commands.ts";
import { endSession, startSession, WITH_SECOND_FACTOR } from "./commands.ts";
import { isUnknownPlace, rememberDevice } from "./guessing.ts";
import { networkKey } from "./sign-in-commands.ts";
import type { Session, UserRow } from "../../platform/caller.ts";
import { toCurrentUser } from "./queries.ts";
import { newSignIn } from "../messages.ts";

/** Writes the session cookie; an empty token deletes it. */
export function writeSessionCookie(c: AppContext, token: string) {
  c.header("Set-Cookie", sessionCookieHeader(c.env.CALLER.secure, token), { append: true });
}

export async function endCurrentSession(c: AppContext, session: Session) {
  const db = c.env.db;
  const ended = session.impersonatorId
    ? await leaveImpersonation(db, session, actOf(session, c.env.CALLER.requestId, Date.now()))
    : await endSession(db, session.id);
  await closeSockets(c.env, ended);
}

/** Methods without an email about a new sign-in, because the user already knows. */
const WITHOUT_NOTICE: ReadonlySet<SignInMethod> = new Set(["sign_up", "recovery_code"]);

/**
 * Replaces the browser's session with a new one for `user` and marks the device as known. Emails the user
 * about a sign-in from an unknown place, at most once an hour.
 */
export async function signIn(c: AppContext, user: UserRow, method: SignInMethod) {
  const { session, userAgent } = c.env.CALLER;
  if (session) await endCurrentSession(c, session);
  const db = c.env.db;
  const now = Date.now();
  const isNewPlace = !WITHOUT_NOTICE.has(method) && (await isUnknownPlace(c, user));
  const by = { userId: user.id, userAgent, networkKey: networkKey(c.env, c.env.CALLER.network) };
  const token = await startSession(db, { ...by, method, now });
  writeSessionCookie(c, token);
  rememberDevice(c, user);
  if (isNewPlace) notifyByEmail(c, user, newSignIn, { userId: user.id, hour: Math.floor(now / HOUR_MS) });
  const { demandsAdminPasskeys } = c.env.settings;
  const needsSecondFactor = demandsAdminPasskeys && user.isSuperAdmin && !WITH_SECOND_FACTOR.has(method);
  return c.json(
    toCurrentUser(
      { ...user, isSuperAdmin: user.isSuperAdmin && !needsSecondFactor },
      null,
      needsSecondFactor,
    ),
  );
}
