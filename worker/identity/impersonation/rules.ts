import { HOUR_MS } from "../../../contract/durations.ts";
import type { UserRow } from "../../platform/session.ts";
import { DomainError } from "../../platform/errors.ts";

/** An impersonated session expires after this long, even if it is in use. */
export const IMPERSONATION_MS = 4 * HOUR_MS;

/**
 * Checks that a super admin may impersonate a user.
 * @param target the user, and whether they (and a team member's owner) are active; null if there is no such user
 * @throws DomainError not_found for a missing, customer, inactive or removed account; forbidden for a super admin
 */
export function requireTarget(target: { user: UserRow; isActive: boolean } | null): UserRow {
  if (!target?.isActive || target.user.userType === "customer" || target.user.removedAt !== null) {
    throw new DomainError("not_found", "No active provider or team member has this id");
  }
  // Impersonation must not grant another super admin's rights: super admins must act under their own name in the audit
  // log.
  if (target.user.isSuperAdmin) throw new DomainError("forbidden", "You can't impersonate a super admin");
  return target.user;
}

/** Our own ids. Any other part of a path may be a secret, such as a one-time link's token. */
const OWN_ID = /^(lead_[a-z-]{2,40}|user|ses|pur|bkg|pay|hold|link|bad|crd)_[0-9a-z]{12,40}$/;

/**
 * Returns a path that is safe to log: the route's pattern with only our own ids filled in.
 * @param pattern pattern of the matched route, such as `/api/lead-purchases/:id/archive`
 */
export function loggedPath(pattern: string, pathname: string): string {
  const parts = pathname.split("/");
  return pattern
    .split("/")
    .map((part, index) => (part.startsWith(":") && OWN_ID.test(parts[index] ?? "") ? parts[index] : part))
    .join("/");
}

/**
 * Returns the admin behind an impersonated session.
 * @throws DomainError not_impersonating
 */
export function requireImpersonator(session: { impersonatorId: string | null }): string {
  if (session.impersonatorId === null) throw new DomainError("not_impersonating");
  return session.impersonatorId;
}
