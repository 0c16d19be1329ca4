import { HOUR_MS } from "../../contract/durations.ts";
import type { UserRow } from "../platform/session.ts";
import { DomainError } from "../errors.ts";

/** An impersonated session ends after this long, used or not. */
export const IMPERSONATION_MS = 4 * HOUR_MS;

/**
 * Whether a super admin may look through somebody's eyes.
 * @param target the person, with a note whether they (and a team member's owner) are active; null when
 *   there is nobody
 * @throws DomainError not_found for nobody, customers and inactive accounts; forbidden for a super admin
 */
export function requireTarget(target: { user: UserRow; isActive: boolean } | null): UserRow {
  if (!target?.isActive || target.user.userType === "customer" || target.user.removedAt !== null) {
    throw new DomainError("not_found", "No active provider or team member has this id");
  }
  // Rights that impersonation could borrow from another super admin are exactly those the log guards.
  if (target.user.isSuperAdmin) throw new DomainError("forbidden", "A super admin cannot be impersonated");
  return target.user;
}

/** Ids that we make. Anything else in an address may be a key to something, such as a one-time link's token. */
const OWN_ID = /^(lead_[a-z-]{2,40}|user|ses|pur|bkg|pay|hold|link|dud|crd)_[0-9a-z]{12,40}$/;

/**
 * An address as the log may keep it: its pattern, with the ids that we made.
 * @param pattern of the route that answers it, such as `/api/lead-purchases/:id/archive`
 */
export function loggedPath(pattern: string, pathname: string): string {
  const parts = pathname.split("/");
  return pattern
    .split("/")
    .map((part, index) => (part.startsWith(":") && OWN_ID.test(parts[index] ?? "") ? parts[index] : part))
    .join("/");
}

/**
 * Who is behind an impersonated session.
 * @throws DomainError not_impersonating
 */
export function requireImpersonator(session: { impersonatorId: string | null }): string {
  if (session.impersonatorId === null) throw new DomainError("not_impersonating");
  return session.impersonatorId;
}
