/** What a session gives the right to. */
import { DomainError } from "../errors.ts";
import type { Session, SocketSession } from "../platform/session.ts";
import { businessOf, isConfirmed } from "./rules.ts";

declare const minted: unique symbol;

/**
 * The business a request works for. Only `scopeOf` makes one, for the gates, and `adminScope`, for super admins;
 * every tenant query takes one, so none can be asked about a business its caller does not belong to.
 */
export type BusinessScope = {
  readonly businessId: string;
  readonly userId: string;
  readonly isOwner: boolean;
  readonly [minted]: true;
};

/**
 * A person's business, with the right to act for it; customers have none.
 * @throws DomainError forbidden
 */
export function scopeOf(session: SocketSession | Session): BusinessScope {
  const businessId = businessOf(session.user);
  if (!businessId) throw new DomainError("forbidden", "Provider access required");
  const isOwner = session.user.userType === "provider";
  return { businessId, userId: session.user.id, isOwner } as BusinessScope;
}

/**
 * Another one's business, as super admins read it.
 * @throws DomainError forbidden for anybody else, and while impersonating
 */
export function adminScope(session: Session, businessId: string): BusinessScope {
  if (!session.user.isSuperAdmin || session.impersonatorId !== null || session.needsPasskey)
    throw new DomainError("forbidden", "Super admin access required");
  return { businessId, userId: session.user.id, isOwner: true } as BusinessScope;
}

/** @throws DomainError confirm_needed when nobody has proved for some minutes that it is them */
export function requireConfirmed(session: Session | null, now: number): void {
  if (session && !isConfirmed(session, now)) {
    throw new DomainError("confirm_needed", "Confirm that it is you: it has been a while since you did.");
  }
}
