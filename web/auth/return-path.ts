import type { CurrentUser } from "../../contract/auth.ts";
import { getHomePath, worksForBusiness } from "../lib/home-path.ts";

const KEY = "way-back";

/** The page where a user had to sign in. `userId` is null if the user was unknown. */
type ReturnPath = { path: string; userId: string | null };

/** Remembers the current page in this tab until the user has signed in. @param userId null if no user was signed in */
export function storeReturnPath(userId: string | null): void {
  // Signing in needs a connection, so return to the online page.
  const path = location.pathname.replace(/\/offline$/, "") + location.search;
  const returnPath: ReturnPath = { path, userId };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(returnPath));
  } catch {
    // Without storage, the user returns to their home page.
  }
}

function consumeReturnPath(): ReturnPath | null {
  try {
    const stored = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return stored === null ? null : (JSON.parse(stored) as ReturnPath);
  } catch {
    return null;
  }
}

/** Returns the page to open after a sign-in: this tab's remembered page, or else the user's home page. */
export function getPathAfterSignIn(user: CurrentUser): string {
  const returnPath = consumeReturnPath();
  const home = getHomePath(user);
  const isTheirs = returnPath !== null && (returnPath.userId ?? user.id) === user.id;
  return isTheirs && worksForBusiness(user) && !user.needsPasskey ? returnPath.path : home;
}
