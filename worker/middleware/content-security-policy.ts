/** What Google's place suggestions load and ask. */
const GOOGLE_MAPS = "https://maps.googleapis.com";
const GOOGLE_PLACES = "https://places.googleapis.com";

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
 * @param nonce for the inline scripts of application pages; documents run none
 * @param hasMaps whether addresses are completed by Google, with the operator's key
 * @param cards on pages where a card may be entered: where Stripe.js comes from
 */
export function contentSecurityPolicy({
  nonce,
  hasMaps = false,
  cards = null,
}: {
  nonce?: string | undefined;
  hasMaps?: boolean;
  cards?: { scriptUrl: string | null } | null;
}): string {
  const stripe = cards ? cardSources(cards.scriptUrl) : null;
  const maps = hasMaps ? [GOOGLE_MAPS] : [];
  const directives = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...(nonce ? [`'nonce-${nonce}'`] : []), ...maps, ...(stripe?.script ?? [])],
    // Style attributes and the inlined sheet of documents.
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'", ...maps, ...(hasMaps ? [GOOGLE_PLACES] : []), ...(stripe?.connect ?? [])],
    "frame-src": stripe?.frame ?? ["'none'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
