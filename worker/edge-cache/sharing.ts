type PublicPage = {
  path: RegExp;
  /** Query names that make an answer differ. */
  reads: readonly string[];
  /** Nobody's cookie makes a difference: even whoever is signed in gets what everybody gets. */
  isImpersonal?: true;
};

/** What a visitor may be answered from the shared cache with. */
const PUBLIC_PAGES: readonly PublicPage[] = [
  { path: /^\/(services|providers|privacy-policy|terms-conditions)?$/, reads: [] },
  { path: /^\/success$/, reads: ["for"] },
  { path: /^\/(robots\.txt|sitemap(\/\d{1,3})?\.xml)$/, reads: [], isImpersonal: true },
  { path: /^\/service\/[\w-]{1,60}$/, reads: [] },
  { path: /^\/location\/[\w%'-]{1,60}$/, reads: [] },
  { path: /^\/og\/[\w-]{1,60}\.png$/, reads: [], isImpersonal: true },
  { path: /^\/locations$/, reads: ["search", "state", "council", "view"] },
  { path: /^\/get-quote$/, reads: ["address", "service"] },
  { path: /^\/api\/suburbs$/, reads: ["limit", "council"] },
  { path: /^\/api\/suburbs\/suggest$/, reads: ["q"] },
  { path: /^\/api\/suburbs\/[\w%'-]{1,60}(\/nearby|\/records)?$/, reads: [] },
];

/** Whether a path is one of visitors' pages: no picture, no list for machines, no call. */
export function isVisitorsPage(pathname: string): boolean {
  return (
    !pathname.startsWith("/api/") &&
    PUBLIC_PAGES.some(({ path, isImpersonal }) => !isImpersonal && path.test(pathname))
  );
}

/** Whoever brings one of these cookies is answered personally: signed in, or owed a word from the page before. */
const PERSONAL_COOKIE = /(?:^|;\s*)(?:session|__Host-session|flash|sent)=/;

/**
 * The address under which everybody may share the answer to a request, or null when it is for one person.
 * What the page does not read, such as a campaign's tags, is left out of it.
 */
export function sharedAddress(request: Request): URL | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { origin, pathname, searchParams } = new URL(request.url);
  const page = PUBLIC_PAGES.find(({ path }) => path.test(pathname));
  if (!page || page.reads.some((name) => searchParams.has(name))) return null;
  if (!page.isImpersonal && PERSONAL_COOKIE.test(request.headers.get("Cookie") ?? "")) return null;
  return new URL(pathname, origin);
}

const HOUR_S = 60 * 60;

/** An hour without asking us, then a day in which the old answer is given while a new one is made. */
const SHARED_LIFETIME = `max-age=${HOUR_S}, stale-while-revalidate=${24 * HOUR_S}`;

/** Browsers ask each time and mostly hear 304: a purge reaches them at once. */
const BROWSER_LIFETIME = "public, max-age=0, must-revalidate";

/** Every shared answer carries it, so that all can be purged together. */
const EVERY_PAGE = "public";

/**
 * Says in an answer's headers how long it may be shared.
 * @param tags what it was made from, such as `suburb-manly`
 * @returns the answer, kept from every cache when it is no success or sets a cookie
 */
export function withSharedLifetime(response: Response, tags: readonly string[]): Response {
  const copy = new Response(response.body, response);
  const isShared = (copy.status === 200 || copy.status === 301) && !copy.headers.has("Set-Cookie");
  if (!isShared) {
    copy.headers.set("Cache-Control", "private, no-cache");
    return copy;
  }
  copy.headers.set("Cache-Control", BROWSER_LIFETIME);
  copy.headers.set("Cloudflare-CDN-Cache-Control", SHARED_LIFETIME);
  copy.headers.set("Cache-Tag", [EVERY_PAGE, ...tags].join(","));
  return copy;
}

/** A tag of content as its maker wrote it: proxies that compress an answer weaken its tag. */
function strong(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

/** Whether a browser's `If-None-Match` names the answer at hand. */
export function isKnown(ifNoneMatch: string | null, etag: string | null): boolean {
  if (!ifNoneMatch || !etag) return false;
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || strong(tag) === strong(etag));
}
