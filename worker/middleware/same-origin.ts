/** Called by Stripe's servers, which prove themselves by their signature. */
const SIGNED_CALLS = new Set(["/api/stripe/webhook"]);

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request only reads, as its method promises. */
export function isSafe(request: Request): boolean {
  return SAFE_METHODS.has(request.method);
}

/**
 * Whether an `Origin` header names what was asked: scheme, host and port, for a page read over http may be
 * anybody's on the way. Browsers write it in one way only; "null" (sandboxed, privacy-stripped) names nothing.
 */
export function isOwnOrigin(origin: string, { origin: own }: URL): boolean {
  return origin === own;
}

/**
 * Whether a request that may change something was started by another site. Browsers name the page's
 * origin on every such request; programs that send neither header carry no cookie they did not mean to.
 */
export function isForeign(request: Request, url: URL): boolean {
  if (isSafe(request)) return false;
  if (SIGNED_CALLS.has(url.pathname)) return false;
  const origin = request.headers.get("Origin");
  if (origin !== null) return !isOwnOrigin(origin, url);
  const site = request.headers.get("Sec-Fetch-Site");
  return site !== null && site !== "same-origin" && site !== "none";
}
