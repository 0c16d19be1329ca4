import type { CurrentUser } from "../../contract/auth.ts";

/** Providers and their team members work in the application. */
export function worksForBusiness(user: Pick<CurrentUser, "userType">): boolean {
  return user.userType === "provider" || user.userType === "team_member";
}

/** Returns the page to open after sign-in. A super admin without a passkey first has to add one. */
export function homePathOf(user: Pick<CurrentUser, "userType" | "needsPasskey">) {
  if (user.needsPasskey) return "/settings?tab=passkeys";
  return worksForBusiness(user) ? "/dashboard" : "/";
}
