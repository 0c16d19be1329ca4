import type { CurrentUser } from "../../contract/auth.ts";
import { homeOf, worksForBusiness } from "../lib/home-path.ts";

const KEY = "way-back";

/** Where somebody was when they had to sign in; null as the user when it was not known who they are. */
type Place = { path: string; userId: string | null };

/** Remembers in this tab where somebody is who has to sign in now. @param userId null when nobody was signed in */
export function rememberPlace(userId: string | null): void {
  // After signing in there is a connection.
  const path = location.pathname.replace(/\/offline$/, "") + location.search;
  const place: Place = { path, userId };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    // Where storage is forbidden, signing in leads home.
  }
}

function takePlace(): Place | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Place);
  } catch {
    return null;
  }
}

/** Where a person goes after signing in: back to where they were in this tab, else home. */
export function placeAfterSignIn(user: CurrentUser): string {
  const place = takePlace();
  const home = homeOf(user);
  const isTheirs = place !== null && (place.userId ?? user.id) === user.id;
  return isTheirs && worksForBusiness(user) && !user.needsPasskey ? place.path : home;
}
