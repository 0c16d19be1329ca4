import { isSafe } from "../platform/http/same-origin.ts";

/** A day: long enough to save most redirects, short enough to undo a mistake. */
const KEPT_SECONDS = 24 * 60 * 60;

/** People do not type the addresses of calls, pictures and the framework's own requests. */
const NOT_A_PAGE = /^\/(api|og|cdn-cgi|assets)\/|\.data$/i;

/** The first segment of our own addresses. Percent-encoded segments stay as they are: some cannot be decoded. */
const PLAIN_WORD = /^[a-z-]+$/i;

/** First segments whose second segment is ours as well, not a name or a secret. */
const ALL_OURS = new Set(["service"]);

/**
 * Redirects to a page's canonical path: `/services/` and `/Services` redirect to `/services`. Search engines and
 * caches then hold each page once. Names and tokens, such as a suburb's name or a link's token, stay as written.
 * @returns null when the path is canonical already, and for requests that are not for a page
 */
export function redirectToCanonicalPath(request: Request): Response | null {
  const url = new URL(request.url);
  if (!isSafe(request) || NOT_A_PAGE.test(url.pathname)) return null;
  const [first = "", ...others] = url.pathname.replace(/^\/+|\/+$/g, "").split("/");
  const noun = PLAIN_WORD.test(first) ? first.toLowerCase() : first;
  const rest = ALL_OURS.has(noun) ? others.map((word) => word.toLowerCase()) : others;
  const path = `/${[noun, ...rest].join("/")}`;
  if (path === url.pathname) return null;
  // Without a host, because the caller chooses the Host header. Two slashes in front would name a host again.
  const location = path + url.search;
  const headers = { Location: location, "Cache-Control": `public, max-age=${KEPT_SECONDS}` };
  return new Response(null, { status: 301, headers });
}
