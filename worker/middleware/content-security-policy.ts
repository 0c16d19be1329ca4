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
