/** Paths that Stripe's servers call. The request's signature authenticates them. */
const SIGNED_CALLS = new Set(["/api/stripe/webhook"]);

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export function isSafe(request: Request): boolean {
  return SAFE_METHODS.has(request.method);
}

/**
 * Returns whether an `Origin` header equals the request's own origin. Also compares the scheme, because a network
 * attacker can replace a page served over http. Browsers always write an origin the same way. "null" (sandboxed or
 * privacy-stripped) never matches.
 */
export function isOwnOrigin(origin: string, { origin: own }: URL): boolean {
  return origin === own;
}

/**
 * Returns whether another site started a request that may change data. Browsers send the page's origin with every such
 * request. A client that sends neither header is not a browser, so it cannot be tricked into sending a cookie.
 */
export function isForeign(request: Request, url: URL): boolean {
  if (isSafe(request)) return false;
  if (SIGNED_CALLS.has(url.pathname)) return false;
  const origin = request.headers.get("Origin");
  if (origin !== null) return !isOwnOrigin(origin, url);
  const site = request.headers.get("Sec-Fetch-Site");
  return site !== null && site !== "same-origin" && site !== "none";
}
