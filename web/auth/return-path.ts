import type { CurrentUser } from "../../contract/auth.ts";
import { getHomePath, worksForBusiness } from "../lib/home-path.ts";

/**
 * Returns the path of the login page, which later opens the page where the user had to sign in.
 * @param page the current page. Signing in needs a connection, so the user returns to the online page
 * @param ended the ID of the user if their session has ended. The login page then says so
 */
export function getLoginPath(
  { pathname, search }: { pathname: string; search: string },
  ended?: string,
): string {
  const next = pathname.replace(/\/offline$/, "") + search;
  return `/login?${new URLSearchParams({ ...(ended !== undefined && { ended }), next })}`;
}

/** Returns a path of this site; null for any other text. */
function parsePath(text: string, { origin }: URL): string | null {
  const url = text !== "" && URL.canParse(text, origin) ? new URL(text, origin) : null;
  const isOwn = url?.origin === origin && !url.pathname.startsWith("//");
  return isOwn ? url.pathname + url.search : null;
}

/**
 * Returns the page to open after a sign-in: the page that the login page's URL names, or else the user's home page.
 * @param loginUrl the URL of `getLoginPath`, or one with the same query
 */
export function getPathAfterSignIn(user: CurrentUser, loginUrl: string): string {
  const url = new URL(loginUrl);
  const next = parsePath(url.searchParams.get("next") ?? "", url);
  const isTheirs = [user.id, "", null].includes(url.searchParams.get("ended"));
  const canOpen = isTheirs && worksForBusiness(user) && !user.needsPasskey;
  return next && canOpen ? next : getHomePath(user);
}
