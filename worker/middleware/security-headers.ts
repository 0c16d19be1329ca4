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
