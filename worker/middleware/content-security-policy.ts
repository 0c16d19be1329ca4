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
 * @param page `nonce`: for the inline scripts of application pages; documents run none. `cards`: for
 *   pages on which a card may be entered, where Stripe.js comes from
 */
export function contentSecurityPolicy({
  nonce,
  cards,
}: {
  nonce?: string | undefined;
  cards?: { scriptUrl: string | null } | null;
}): string {
  const stripe = cards ? cardSources(cards.scriptUrl) : null;
  const directives = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...(nonce ? [`'nonce-${nonce}'`] : []), ...(stripe?.script ?? [])],
    // Style attributes and the inlined sheet of documents.
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'", ...(stripe?.connect ?? [])],
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
