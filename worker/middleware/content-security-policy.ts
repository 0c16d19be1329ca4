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
/** What Stripe.js needs, according to its documentation. */
const STRIPE = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  connect: ["https://api.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
};

/** Returns the sources for cards, with another origin for Stripe.js when one is configured. */
function cardSources(scriptUrl: string | null): typeof STRIPE {
  if (!scriptUrl) return STRIPE;
  const { origin } = new URL(scriptUrl);
  return { script: [origin], connect: [origin], frame: [origin] };
}

/**
 * Returns a page's policy. Sources are our own unless the operator's settings add others.
 * @param nonce for the inline scripts of application pages
 * @param scriptHash of the one inline script in documents
 * @param hasMaps on pages where Google completes addresses, with the operator's key
 * @param hasAds whether Google Ads may count a sent request
 * @param challengeHost on pages whose form Cloudflare checks: the origin of Turnstile's script and frame
 * @param cards on pages with card entry: the origin of Stripe.js
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
    // For style attributes, and the inlined stylesheet of documents.
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
