import { DomainError } from "../platform/errors.ts";
import { LOOPBACK } from "../platform/loopback.ts";
import { isSafe } from "../platform/http/same-origin.ts";

/** A monitor may check health on any host. The response contains no personal data. */
const SERVED_ON_ANY_HOST = "/api/health";

/** A day: long enough to save most redirects, short enough to undo a wrong setting. */
const CACHE_SECONDS = 24 * 60 * 60;

/**
 * Handles a request to a non-canonical host or without https. Redirects pages. Rejects API calls and forms, because
 * their data was already sent to the wrong place, and API clients such as Stripe do not follow redirects.
 * @param siteHost the canonical host; null when none is set
 * @returns null for requests to the canonical host, to localhost or to the health check
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
  const headers = { Location: home.href, "Cache-Control": `public, max-age=${CACHE_SECONDS}` };
  return new Response(null, { status: 301, headers });
}
