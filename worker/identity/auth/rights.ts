import { DomainError } from "../../platform/errors.ts";
import type { Session, SocketSession } from "../../platform/session.ts";
import { businessOf, isConfirmed } from "./rules.ts";

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
