/** Paths that Stripe's servers call. A signature proves the sender's identity. */
const SIGNED_CALLS = new Set(["/api/stripe/webhook"]);

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export function isSafe(request: Request): boolean {
  return SAFE_METHODS.has(request.method);
}

/**
 * Returns whether an `Origin` header equals the request's own origin. The scheme counts too: an attacker on the network
 * can replace a page served over http. Browsers write an origin in one form only. "null" (sandboxed or
 * privacy-stripped) never matches.
 */
export function isOwnOrigin(origin: string, { origin: own }: URL): boolean {
  return origin === own;
}

/**
 * Returns whether another site started a request that may change something. Browsers send the page's origin with every
 * such request. A program that sends neither header sends no cookie by accident.
 */
export function isForeign(request: Request, url: URL): boolean {
  if (isSafe(request)) return false;
  if (SIGNED_CALLS.has(url.pathname)) return false;
  const origin = request.headers.get("Origin");
  if (origin !== null) return !isOwnOrigin(origin, url);
  const site = request.headers.get("Sec-Fetch-Site");
  return site !== null && site !== "same-origin" && site !== "none";
}
