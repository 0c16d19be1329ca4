import type { UserRow } from "../../platform/session.ts";
import type { CurrentUser } from "../../../contract/auth.ts";
import { isRegion } from "../../../contract/regions.ts";
import { businessOf, mustChangePassword } from "./rules.ts";

/** Returns the part of a user row that the user's own browser may see. */
export function toCurrentUser(
  user: UserRow,
  impersonatorId: string | null,
  needsPasskey = false,
): CurrentUser {
  return {
    id: user.id,
    userType: user.userType,
    firstName: user.firstName,
    lastName: user.lastName,
    username: user.username,
    email: user.email,
    pendingEmail: user.pendingEmail,
    phone: user.phone,
    companyName: user.companyName,
    businessId: businessOf(user),
    isVerified: user.isVerified,
    isSuperAdmin: user.isSuperAdmin,
    needsPasskey,
    isImpersonating: impersonatorId !== null,
    mustChangePassword: mustChangePassword({ user, impersonatorId }),
    // A region from another release has no exchange in this one. Its socket would reconnect endlessly.
    watchedRegions: user.watchedRegions.filter(isRegion),
    services: user.services,
  };
}
