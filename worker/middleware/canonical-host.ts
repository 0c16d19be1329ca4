import { DomainError } from "../platform/errors.ts";
import { LOOPBACK } from "../platform/loopback.ts";
import { isSafe } from "../platform/http/same-origin.ts";

/** A monitor may check health on any host. The response holds no personal data. */
const SERVED_ON_ANY_HOST = "/api/health";

/** A day: long enough to save most redirects, short enough to undo a wrong setting. */
const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Handles a request that came to another host than the canonical one, or without https. Pages redirect. Calls and
 * forms are rejected: their data was already sent to the wrong place. Programs, Stripe included, do not follow
 * redirects.
 * @param siteHost the canonical host; null when none is set
 * @returns null for a request to the canonical host, and for every request on this machine
 * @throws DomainError wrong_host
 */
export function redirectToCanonicalHost(request: Request, siteHost: string | null): Response | null {
  const url = new URL(request.url);
  if (siteHost === null || LOOPBACK.test(url.hostname)) return null;
  if (url.host === siteHost && url.protocol === "https:") return null;
  if (url.pathname === SERVED_ON_ANY_HOST) return null;
  if (url.pathname.startsWith("/api/") || !isSafe(request)) {
    throw new DomainError("wrong_host", `Ask https://${siteHost} instead`);
  }
  const home = new URL(`https://${siteHost}`);
  home.pathname = url.pathname;
  home.search = url.search;
  const headers = { Location: home.href, "Cache-Control": `public, max-age=${KEPT_SECONDS}` };
  return new Response(null, { status: 301, headers });
}
