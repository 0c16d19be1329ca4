/** What Google's place suggestions load and ask. */
const GOOGLE_MAPS = "https://maps.googleapis.com";
const GOOGLE_PLACES = "https://places.googleapis.com";

/**
 * What a page may load and do. Everything is ours unless the operator's configuration says otherwise.
 * @param nonce for the inline scripts of application pages; documents run none
 * @param hasMaps whether addresses are completed by Google, with the operator's key
 */
export function contentSecurityPolicy({
  nonce,
  hasMaps = false,
}: {
  nonce?: string | undefined;
  hasMaps?: boolean;
}): string {
  const directives = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...(nonce ? [`'nonce-${nonce}'`] : []), ...(hasMaps ? [GOOGLE_MAPS] : [])],
    // Style attributes and the inlined sheet of documents.
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'", ...(hasMaps ? [GOOGLE_MAPS, GOOGLE_PLACES] : [])],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
