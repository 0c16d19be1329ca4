import type { CurrentUser } from "../../contract/auth.ts";

/** Providers and their team members work in the application. */
export function worksForBusiness(user: Pick<CurrentUser, "userType">): boolean {
  return user.userType === "provider" || user.userType === "team_member";
}

/** Where a person goes after signing in: a super admin without a passkey to where they add one. */
export function homeOf(user: Pick<CurrentUser, "userType" | "needsPasskey">) {
  if (user.needsPasskey) return "/settings?tab=passkeys";
  return worksForBusiness(user) ? "/dashboard" : "/";
}
