import { DomainError } from "../platform/errors.ts";
import { isSafe } from "../platform/http/same-origin.ts";
import { LOOPBACK } from "../platform/network.ts";

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

/** Paths of API calls, pictures and the framework's own requests, which people do not type. */
const NOT_A_PAGE = /^\/(api|og|cdn-cgi|assets)\/|\.data$/i;

/**
 * Matches a first segment that can be lower-cased. Percent-encoded segments stay unchanged, because some cannot be
 * decoded.
 */
const PLAIN_WORD = /^[a-z-]+$/i;

/** Maximum length of a URL to redirect. No page has a longer one, and many clients reject 16 kB of headers. */
const MAX_URL_LENGTH = 2_048;

/** First segments after which the other segments are lower-cased too, because they are not names or secrets. */
const LOWER_CASE_NOUNS = new Set(["service"]);

/**
 * Redirects to a page's canonical path: `/services/` and `/Services` redirect to `/services`. Search engines and caches
 * then store each page once. Other segments, such as a suburb's name or a link's token, stay unchanged.
 * @returns null if the path is already canonical, or the request is not for a page
 */
export function redirectToCanonicalPath(request: Request): Response | null {
  const url = new URL(request.url);
  if (!isSafe(request) || NOT_A_PAGE.test(url.pathname) || url.href.length > MAX_URL_LENGTH) return null;
  const [first = "", ...others] = url.pathname.replace(/^\/+|\/+$/g, "").split("/");
  const noun = PLAIN_WORD.test(first) ? first.toLowerCase() : first;
  const rest = LOWER_CASE_NOUNS.has(noun) ? others.map((word) => word.toLowerCase()) : others;
  const path = `/${[noun, ...rest].join("/")}`;
  if (path === url.pathname) return null;
  // No host, because the caller controls the Host header. `path` starts with a single slash, because "//" would start a
  // host.
  const location = path + url.search;
  const headers = { Location: location, "Cache-Control": `public, max-age=${CACHE_SECONDS}` };
  return new Response(null, { status: 301, headers });
}
