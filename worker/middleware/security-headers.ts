/** The headers of every response. `public/_headers` repeats them for static files, which bypass the Worker. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // Our URLs may contain a visitor's input, so send only the origin to other sites.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  // For browsers without frame-ancestors.
  "X-Frame-Options": "DENY",
};

const API_HEADERS: Readonly<Record<string, string>> = {
  // If a response is opened as a page, block scripts and framing.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  // By default, responses are not cached.
  "Cache-Control": "private, no-store",
};

/** A year, including subdomains. Sent over https only, because browsers ignore the header over http. */
export const HSTS = "max-age=31536000; includeSubDomains";

/**
 * Adds the default headers that a response does not set itself. A page's Content-Security-Policy comes from the page
 * renderer. A 101 response must not be changed.
 */
export function withSecurityHeaders(
  response: Response,
  of: { isApi: boolean; secure: boolean; requestId: string },
): Response {
  if (response.status === 101) return response;
  const copy = new Response(response.body, response);
  const wanted = {
    ...COMMON_HEADERS,
    ...(of.isApi && API_HEADERS),
    ...(of.secure && { "Strict-Transport-Security": HSTS }),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (!copy.headers.has(name)) copy.headers.set(name, value);
  }
  copy.headers.set("X-Request-Id", of.requestId);
  return copy;
}

/** Hosts that Google's place suggestions load from and call. */
const GOOGLE_MAPS = "https://maps.googleapis.com";
const GOOGLE_PLACES = "https://places.googleapis.com";

/** Hosts that Google's tag loads from and calls to count a conversion, after the visitor consents. */
const GOOGLE_TAG = "https://www.googletagmanager.com";
const GOOGLE_ADS = [
  "https://www.googleadservices.com",
  "https://googleads.g.doubleclick.net",
  "https://pagead2.googlesyndication.com",
  "https://www.google.com",
  "https://www.google.com.au",
];
/** Sources that Stripe.js needs, according to its documentation. */
const STRIPE = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  connect: ["https://api.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
};

/** Returns the sources for card entry: Stripe's own, or the origin of a configured Stripe.js URL. */
function cardSources(scriptUrl: string | null): typeof STRIPE {
  if (!scriptUrl) return STRIPE;
  const { origin } = new URL(scriptUrl);
  return { script: [origin], connect: [origin], frame: [origin] };
}

/**
 * Returns a page's Content-Security-Policy. Allows only our own origin, plus the hosts that the parameters enable.
 * @param nonce for the inline scripts of application pages
 * @param scriptHash of the one inline script in shared pages
 * @param hasMaps whether the page completes addresses with Google
 * @param hasAds whether Google Ads may count a conversion on the page
 * @param challengeHost the origin of Turnstile's script and frame, on pages with a Turnstile check
 * @param cards set on pages with card entry; `scriptUrl` is the URL of Stripe.js, or null for Stripe's own host
 */
export function contentSecurityPolicy({
  nonce,
  scriptHash,
  hasMaps = false,
  cards = null,
  hasAds = false,
  challengeHost = null,
}: {
  nonce?: string | undefined;
  scriptHash?: string | undefined;
  hasMaps?: boolean;
  cards?: { scriptUrl: string | null } | null;
  hasAds?: boolean;
  challengeHost?: string | null;
}): string {
  const stripe = cards ? cardSources(cards.scriptUrl) : null;
  const maps = hasMaps ? [GOOGLE_MAPS] : [];
  const ads = hasAds ? [GOOGLE_TAG, ...GOOGLE_ADS] : [];
  const challenges = challengeHost ? [challengeHost] : [];
  const frames = [...(stripe?.frame ?? []), ...(hasAds ? [GOOGLE_TAG] : []), ...challenges];
  const directives = {
    "default-src": ["'self'"],
    "script-src": [
      "'self'",
      ...(nonce ? [`'nonce-${nonce}'`] : []),
      ...(scriptHash ? [`'${scriptHash}'`] : []),
      ...maps,
      ...(stripe?.script ?? []),
      ...ads,
      ...challenges,
    ],
    // For style attributes, and the inlined stylesheet of shared pages.
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:", ...ads],
    "connect-src": [
      "'self'",
      ...maps,
      ...(hasMaps ? [GOOGLE_PLACES] : []),
      ...(stripe?.connect ?? []),
      ...ads,
    ],
    "frame-src": frames.length > 0 ? frames : ["'none'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
