import { PAGE_LIST, pathsOf } from "../../../contract/visitor-pages.ts";
import { TryLater } from "../errors.ts";
import { createWorkQueue } from "../work-queue.ts";

type SharedPath = {
  path: RegExp;
  /** Query parameters that change the response. */
  queryParams: readonly string[];
  /** Whether the response ignores cookies. Then signed-in users get the shared one too. */
  ignoresCookies?: true;
};

const SHARED_PAGES: readonly SharedPath[] = PAGE_LIST.flatMap(({ pattern, cache }) =>
  cache ? { path: pathsOf(pattern, "[\\w%'-]{1,60}"), queryParams: cache } : [],
);

/** Pages, pictures, crawler files and API calls that the shared cache may serve. */
const SHARED_PATHS: readonly SharedPath[] = [
  ...SHARED_PAGES,
  { path: /^\/(robots\.txt|sitemap(\/\d{1,3})?\.xml)$/, queryParams: [], ignoresCookies: true },
  { path: /^\/og\/[\w-]{1,60}\.png$/, queryParams: [], ignoresCookies: true },
  { path: /^\/api\/suburbs$/, queryParams: ["limit", "council"] },
  { path: /^\/api\/suburbs\/suggest$/, queryParams: ["q"] },
  { path: /^\/api\/suburbs\/[\w%'-]{1,60}$/, queryParams: [] },
];

/** Returns whether a path is a public page that visitors share. */
export function isVisitorsPage(pathname: string): boolean {
  return SHARED_PAGES.some(({ path }) => path.test(pathname));
}

/** A request with one of these cookies gets a personal response: a session, or a message from the previous page. */
const PERSONAL_COOKIE = /(?:^|;\s*)(?:session|__Host-session|flash|sent)=/;

/**
 * Returns the cache URL of a shared response, or null when the response is personal. Omits query parameters that the
 * page does not read, such as campaign tags.
 */
export function sharedCacheUrl(request: Request): URL | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { origin, pathname, searchParams } = new URL(request.url);
  const page = SHARED_PATHS.find(({ path }) => path.test(pathname));
  if (!page || page.queryParams.some((name) => searchParams.has(name))) return null;
  if (!page.ignoresCookies && PERSONAL_COOKIE.test(request.headers.get("Cookie") ?? "")) return null;
  return new URL(pathname, origin);
}

const HOUR_S = 60 * 60;

/**
 * Fresh for an hour. For a day after that, the cache serves the stale response while it revalidates. For a week it serves
 * the stale response if we fail, for example while D1 is locked.
 */
const SHARED_LIFETIME = `max-age=${HOUR_S}, stale-while-revalidate=${24 * HOUR_S}, stale-if-error=${7 * 24 * HOUR_S}`;

/** Browsers revalidate every time, so a purge takes effect at once. They mostly receive a 304. */
const BROWSER_LIFETIME = "public, max-age=0, must-revalidate";

/** The tag of every shared response, for purging all of them. */
const EVERY_PAGE = "public";

/**
 * Sets the headers that control how long the cache may share a response.
 * @param tags tags of the response's data, such as `suburb-manly`
 * @returns the response, marked private unless it is a 200 or 301 without a cookie
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

/** Returns the strong form of an ETag. Proxies that compress a response weaken its ETag. */
function toStrongEtag(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

/** Returns whether a browser's `If-None-Match` matches the response. */
export function matchesEtag(ifNoneMatch: string | null, etag: string | null): boolean {
  if (!ifNoneMatch || !etag) return false;
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || toStrongEtag(tag) === toStrongEtag(etag));
}

/** Returns whether a path belongs to a share picture. Drawing a picture takes about 100 ms of CPU. */
export function isPicture(pathname: string): boolean {
  return pathname.startsWith("/og/");
}

/** Draws pictures one at a time, so that the isolate can respond to visitors in between. */
export const drawingQueue = createWorkQueue({
  maxWaiting: 8,
  idleMs: 25,
  busyError: () =>
    new TryLater(
      "too_busy",
      "Many pictures are being drawn right now. Please try again in a few seconds.",
      5,
    ),
});
