import { REQUEST_LIST_MS } from "../../contract/my-requests.ts";

/** Holds the secret of an opened list, so that Back and a reload show it again. Browsers send it only to these pages. */
const COOKIE = "my-requests";

/** Returns the cookie as a Set-Cookie header. @param secure whether the site uses https */
export function listCookie(token: string, secure: boolean): string {
  const attributes = `Path=/my-requests; Max-Age=${REQUEST_LIST_MS / 1000}; HttpOnly; SameSite=Lax`;
  return `${COOKIE}=${token}; ${attributes}${secure ? "; Secure" : ""}`;
}

/** Reads the secret from a Cookie header; empty without one. */
export function readListToken(cookies: string | null): string {
  return /(?:^|;\s*)my-requests=([\w-]{1,64})(?:;|$)/.exec(cookies ?? "")?.[1] ?? "";
}
