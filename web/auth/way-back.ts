import type { CurrentUser } from "../../contract/auth.ts";
import { homePathOf, worksForBusiness } from "../lib/home-path.ts";

const KEY = "way-back";

/** The page where a user had to sign in. `userId` is null if the user was unknown. */
type Place = { path: string; userId: string | null };

/** Remembers the current page in this tab until the user has signed in. @param userId null if no user was signed in */
export function rememberReturnPath(userId: string | null): void {
  // Signing in needs a connection, so return to the online page.
  const path = location.pathname.replace(/\/offline$/, "") + location.search;
  const place: Place = { path, userId };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    // Without storage, the user returns to their home page.
  }
}

function takeReturnPath(): Place | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Place);
  } catch {
    return null;
  }
}

/** Returns the page to open after a sign-in: this tab's remembered page, or else the user's home page. */
export function placeAfterSignIn(user: CurrentUser): string {
  const place = takeReturnPath();
  const home = homePathOf(user);
  const isTheirs = place !== null && (place.userId ?? user.id) === user.id;
  return isTheirs && worksForBusiness(user) && !user.needsPasskey ? place.path : home;
}
