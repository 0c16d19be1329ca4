import { isSafe } from "../platform/http/same-origin.ts";

/** A day: long enough to save most redirects, short enough to undo a mistake. */
const CACHE_SECONDS = 24 * 60 * 60;

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
