import { isSafe } from "./same-origin.ts";

/** A day: long enough to spare the detour, short enough to undo a mistake. */
const KEPT_SECONDS = 24 * 60 * 60;

/** Calls, pictures and the framework's own requests are never written by hand. */
const NOT_A_PAGE = /^\/(api|og|cdn-cgi|assets)\/|\.data$/i;

/** What our own addresses begin with; signs in disguise are left alone, they may not even be decodable. */
const PLAIN_WORD = /^[a-z-]+$/i;

/** First words of addresses whose second word is ours as well, not a name or a secret. */
const ALL_OURS = new Set(["service"]);

/**
 * One address a page: `/services/` and `/Services` lead to `/services`, so that search engines and caches know
 * each page once. What somebody else has chosen (a suburb's name, a link's token) stays as it was written.
 * @returns null when the address is right already, and for whatever is no page
 */
export function leadToOneAddress(request: Request): Response | null {
  const url = new URL(request.url);
  if (!isSafe(request) || NOT_A_PAGE.test(url.pathname)) return null;
  const [first = "", ...others] = url.pathname.replace(/^\/+|\/+$/g, "").split("/");
  const noun = PLAIN_WORD.test(first) ? first.toLowerCase() : first;
  const rest = ALL_OURS.has(noun) ? others.map((word) => word.toLowerCase()) : others;
  const path = `/${[noun, ...rest].join("/")}`;
  if (path === url.pathname) return null;
  // Without a host, which is the caller's word. One slash in front, never two: those would name a host again.
  const location = path + url.search;
  const headers = { Location: location, "Cache-Control": `public, max-age=${KEPT_SECONDS}` };
  return new Response(null, { status: 301, headers });
}
