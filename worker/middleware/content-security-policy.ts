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

/**
 * What a page may load and do. Everything is ours unless the operator's configuration says otherwise.
 * @param nonce for the inline scripts of application pages; documents run none
 * @param hasMaps whether addresses are completed by Google, with the operator's key
 * @param hasAds whether Google Ads may be told of a sent request
 */
export function contentSecurityPolicy({
  nonce,
  hasMaps = false,
  hasAds = false,
}: {
  nonce?: string | undefined;
  hasMaps?: boolean;
  hasAds?: boolean;
}): string {
  const ads = hasAds ? [GOOGLE_TAG, ...GOOGLE_ADS] : [];
  const directives = {
    "default-src": ["'self'"],
    "script-src": [
      "'self'",
      ...(nonce ? [`'nonce-${nonce}'`] : []),
      ...(hasMaps ? [GOOGLE_MAPS] : []),
      ...ads,
    ],
    // Style attributes and the inlined sheet of documents.
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:", ...ads],
    "connect-src": ["'self'", ...(hasMaps ? [GOOGLE_MAPS, GOOGLE_PLACES] : []), ...ads],
    ...(hasAds && { "frame-src": [GOOGLE_TAG] }),
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
