import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { UserRow } from "../platform/session.ts";

/** A session ends this long after it was last used. */
export const SESSION_MS = 30 * DAY_MS;

/** Whatever happens, a session ends this long after its person signed in. */
export const SESSION_MOST_MS = 90 * DAY_MS;

/**
 * When a session ends that is used now.
 * @param signedInAt when the person at the keyboard signed in, epoch milliseconds
 */
export function sessionEnd(now: number, signedInAt: number, lifetimeMs = SESSION_MS): number {
  return Math.min(now + lifetimeMs, signedInAt + SESSION_MOST_MS);
}

/** So long after somebody proved who they are they are not asked again. */
export const CONFIRMED_MS = 10 * MINUTE_MS;

/** Whether whoever uses a session has proved who they are a short while ago. */
export function isConfirmed(session: { confirmedAt: number }, now: number): boolean {
  return now - session.confirmedAt < CONFIRMED_MS;
}

type Rights = {
  user: UserRow;
  impersonatorId: string | null;
  secondFactorAt: number | null;
  needsPasskey: boolean;
};

/**
 * A session with the rights it has: where super admins have to have a passkey, one who signed in without is
 * none until they have used or added one. Everybody who asks `user.isSuperAdmin` is told so.
 */
export function withOwnRights<Session extends Rights>(session: Session, demandsPasskey: boolean): Session {
  const { user, impersonatorId, secondFactorAt } = session;
  if (!demandsPasskey || !user.isSuperAdmin || impersonatorId !== null || secondFactorAt !== null)
    return session;
  return { ...session, needsPasskey: true, user: { ...user, isSuperAdmin: false } };
}

/** How often using a session moves its end: rarely enough that reads do not become writes. */
export const SESSION_TOUCH_MS = DAY_MS;

/** The business a person works for: their own, their owner's, or none. */
export function businessOf(user: Pick<UserRow, "id" | "userType" | "teamOwnerId">): string | null {
  if (user.userType === "provider") return user.id;
  if (user.userType === "team_member") return user.teamOwnerId;
  return null;
}

/** Whether a session's person has to choose a password first; an admin looking through their eyes has not. */
export function mustChangePassword(session: {
  user: Pick<UserRow, "mustChangePassword">;
  impersonatorId: string | null;
}): boolean {
  return session.user.mustChangePassword && session.impersonatorId === null;
}

/** How long a one-time link for a new password works. */
export const PASSWORD_LINK_MS = DAY_MS;

/** Nobody's mail box is filled by somebody else's asking. */
export const BETWEEN_MAILS_MS = 5 * MINUTE_MS;
