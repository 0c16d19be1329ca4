import { createHash, randomBytes } from "node:crypto";

import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { Session, SocketSession, UserRow } from "../../platform/caller.ts";
import { DomainError } from "../../platform/errors.ts";

/** A session expires this long after its last use. */
export const SESSION_MS = 30 * DAY_MS;

/** Maximum lifetime of a session after its sign-in, even if it is in use. */
export const MAX_SESSION_MS = 90 * DAY_MS;

/**
 * Returns when a session that is in use now expires.
 * @param signedInAt when the user (or the impersonating admin) signed in, epoch milliseconds
 */
export function sessionEnd(now: number, signedInAt: number, lifetimeMs = SESSION_MS): number {
  return Math.min(now + lifetimeMs, signedInAt + MAX_SESSION_MS);
}

/** How long a confirmation of identity is valid. */
const CONFIRMED_MS = 10 * MINUTE_MS;

/** Returns whether the user confirmed their identity within `CONFIRMED_MS`. */
function isConfirmed(session: { confirmedAt: number }, now: number): boolean {
  return now - session.confirmedAt < CONFIRMED_MS;
}

type Rights = {
  user: UserRow;
  impersonatorId: string | null;
  secondFactorAt: number | null;
  needsPasskey: boolean;
};

/**
 * Returns a session with its effective rights. If super admins must have a passkey, a session without a second factor
 * has no admin rights. `user.isSuperAdmin` is then false until the user uses or adds a passkey.
 */
export function withOwnRights<Session extends Rights>(session: Session, demandsPasskey: boolean): Session {
  const { user, impersonatorId, secondFactorAt } = session;
  if (!demandsPasskey || !user.isSuperAdmin || impersonatorId !== null || secondFactorAt !== null)
    return session;
  return { ...session, needsPasskey: true, user: { ...user, isSuperAdmin: false } };
}

/** Minimum time between two extensions of a session, so that most requests do not write to D1. */
export const SESSION_TOUCH_MS = DAY_MS;

/** Returns the business that a user works for: their own or their team owner's. Customers have none. */
export function businessOf(user: Pick<UserRow, "id" | "userType" | "teamOwnerId">): string | null {
  if (user.userType === "provider") return user.id;
  if (user.userType === "team_member") return user.teamOwnerId;
  return null;
}

/** Returns whether a session's user must choose a new password first. Always false for an impersonating admin. */
export function mustChangePassword(session: {
  user: Pick<UserRow, "mustChangePassword">;
  impersonatorId: string | null;
}): boolean {
  return session.user.mustChangePassword && session.impersonatorId === null;
}

export const PASSWORD_LINK_MS = DAY_MS;

/** Minimum time between two emails to a mailbox, so that strangers cannot flood it. */
export const MAIL_INTERVAL_MS = 5 * MINUTE_MS;

// Secrets in a cookie or a link. D1 stores only their hashes.

/** Returns 256 random bits as URL-safe text. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

declare const minted: unique symbol;

/**
 * The business that a request acts for. Only `scopeOf` (for the gates) and `adminScope` (for super admins) create a
 * scope. Every tenant query requires one, so it cannot read another business's data.
 */
export type BusinessScope = {
  readonly businessId: string;
  readonly userId: string;
  readonly isOwner: boolean;
  readonly [minted]: true;
};

/**
 * Returns a user's business scope.
 * @throws DomainError forbidden for customers
 */
export function scopeOf(session: SocketSession | Session): BusinessScope {
  const businessId = businessOf(session.user);
  if (!businessId) throw new DomainError("forbidden", "Provider access required");
  const isOwner = session.user.userType === "provider";
  return { businessId, userId: session.user.id, isOwner } as BusinessScope;
}

/**
 * Returns the scope of any business, for super admins.
 * @throws DomainError forbidden for every other user, and while impersonating
 */
export function adminScope(session: Session, businessId: string): BusinessScope {
  if (!session.user.isSuperAdmin || session.impersonatorId !== null || session.needsPasskey)
    throw new DomainError("forbidden", "Super admin access required");
  return { businessId, userId: session.user.id, isOwner: true } as BusinessScope;
}

/** Requires a recent confirmation. @throws DomainError confirm_needed if the last one is older than `CONFIRMED_MS` */
export function requireConfirmed(session: Session | null, now: number): void {
  if (session && !isConfirmed(session, now)) {
    throw new DomainError("confirm_needed", "Please confirm it's you. It's been a while since you last did.");
  }
}

/**
 * Checks that the signed-in user also made the change. A pending change may be sent after a different user has signed
 * in.
 * @throws DomainError unauthenticated
 */
export function requireSameUser(madeBy: string | undefined, { userId }: BusinessScope): void {
  if (madeBy !== undefined && madeBy !== userId)
    throw new DomainError("unauthenticated", "Someone else has since signed in here.");
}
