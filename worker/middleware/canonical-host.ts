import { DomainError } from "../errors.ts";
import { LOOPBACK } from "../loopback.ts";
import { isSafe } from "./same-origin.ts";

/** A monitor may ask at any address how we are; nothing in the answer is anybody's. */
const ANSWERED_ANYWHERE = "/api/health";

/** A day: long enough to spare the detour, short enough to undo a wrong setting. */
const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Answers a request that came to another host than the site's, or not over https. Pages lead to the right
 * address; calls and forms are refused, because what they carry has been sent in the wrong place already and
 * programs, Stripe's among them, follow no redirect.
 * @param siteHost the one host of the site; null when none is set
 * @returns null for a request that came to the right address, and for everything on this machine
 * @throws DomainError wrong_host
 */
export function leadHome(request: Request, siteHost: string | null): Response | null {
  const url = new URL(request.url);
  if (siteHost === null || LOOPBACK.test(url.hostname)) return null;
  if (url.host === siteHost && url.protocol === "https:") return null;
  if (url.pathname === ANSWERED_ANYWHERE) return null;
  if (url.pathname.startsWith("/api/") || !isSafe(request)) {
    throw new DomainError("wrong_host", `Ask https://${siteHost} instead`);
  }
  const home = new URL(`https://${siteHost}`);
  home.pathname = url.pathname;
  home.search = url.search;
  const headers = { Location: home.href, "Cache-Control": `public, max-age=${KEPT_SECONDS}` };
  return new Response(null, { status: 301, headers });
}
