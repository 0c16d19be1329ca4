/** What Google's place suggestions load and ask. */
const GOOGLE_MAPS = "https://maps.googleapis.com";
const GOOGLE_PLACES = "https://places.googleapis.com";

/** What Google's tag loads and asks to count a conversion, after the visitor agreed. */
const GOOGLE_TAG = "https://www.googletagmanager.com";
const GOOGLE_ADS = [
  "https://www.googleadservices.com",
  "https://googleads.g.doubleclick.net",
  "https://pagead2.googlesyndication.com",
  "https://www.google.com",
  "https://www.google.com.au",
];
/** What Stripe.js needs, as its documentation lists it. */
const STRIPE = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  connect: ["https://api.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
};

/** The same for another place that Stripe.js comes from. */
function cardSources(scriptUrl: string | null): typeof STRIPE {
  if (!scriptUrl) return STRIPE;
  const { origin } = new URL(scriptUrl);
  return { script: [origin], connect: [origin], frame: [origin] };
}

/**
 * What a page may load and do. Everything is ours unless the operator's configuration says otherwise.
 * @param nonce for the inline scripts of application pages
 * @param scriptHash of the one script that documents contain
 * @param hasMaps on pages where addresses are completed by Google, with the operator's key
 * @param hasAds whether Google Ads may be told of a sent request
 * @param challengeHost on pages whose form Cloudflare checks: where Turnstile's script and its frame come from
 * @param cards on pages where a card may be entered: where Stripe.js comes from
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
    // Style attributes and the inlined sheet of documents.
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
