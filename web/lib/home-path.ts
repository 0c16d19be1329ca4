import type { CurrentUser } from "../../contract/auth.ts";

/** Returns whether the user works for a business: as a provider or a team member. */
export function worksForBusiness(user: Pick<CurrentUser, "userType">): boolean {
  return user.userType === "provider" || user.userType === "team_member";
}

/** Returns the page to open after sign-in. A super admin without a passkey must add one first. */
export function getHomePath(user: Pick<CurrentUser, "userType" | "needsPasskey">) {
  if (user.needsPasskey) return "/settings?tab=password#passkeys";
  return worksForBusiness(user) ? "/dashboard" : "/";
}
