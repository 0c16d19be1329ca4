import { DomainError } from "../../platform/errors.ts";
import type { Session, SocketSession } from "../../platform/session.ts";
import { businessOf, isConfirmed } from "./rules.ts";

declare const minted: unique symbol;

/**
 * The business that a request acts for. Only `scopeOf` (for the gates) and `adminScope` (for super admins)
 * create one. Every tenant query takes one, so no query can read a business that its caller does not belong to.
 */
export type BusinessScope = {
  readonly businessId: string;
  readonly userId: string;
  readonly isOwner: boolean;
  readonly [minted]: true;
};

/**
 * Returns a user's business scope; customers have none.
 * @throws DomainError forbidden
 */
export function scopeOf(session: SocketSession | Session): BusinessScope {
  const businessId = businessOf(session.user);
  if (!businessId) throw new DomainError("forbidden", "Provider access required");
  const isOwner = session.user.userType === "provider";
  return { businessId, userId: session.user.id, isOwner } as BusinessScope;
}

/**
 * Returns the scope of another business, for super admins.
 * @throws DomainError forbidden for every other user, and while impersonating
 */
export function adminScope(session: Session, businessId: string): BusinessScope {
  if (!session.user.isSuperAdmin || session.impersonatorId !== null || session.needsPasskey)
    throw new DomainError("forbidden", "Super admin access required");
  return { businessId, userId: session.user.id, isOwner: true } as BusinessScope;
}

/** @throws DomainError confirm_needed if the user has not confirmed their identity within `CONFIRMED_MS` */
export function requireConfirmed(session: Session | null, now: number): void {
  if (session && !isConfirmed(session, now)) {
    throw new DomainError("confirm_needed", "Please confirm it's you. It's been a while since you last did.");
  }
}
