/** The headers of every response. `public/_headers` repeats them for static files, which bypass the Worker. */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // Our addresses may hold what a visitor typed. Other sites see our origin only.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  // For browsers without frame-ancestors.
  "X-Frame-Options": "DENY",
};

const API_ANSWER: Readonly<Record<string, string>> = {
  // A response that is opened as a page runs no script, and no page can frame it.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  // By default only the caller may keep a response, and no cache may store it.
  "Cache-Control": "private, no-store",
};

/** A year, subdomains included. Sent over https only: browsers ignore it over http. */
export const HSTS = "max-age=31536000; includeSubDomains";

/**
 * Adds the default headers that a response does not set itself. The page renderer sets a page's script policy. A
 * socket's 101 response must not change.
 */
export function withSecurityHeaders(
  response: Response,
  of: { isApi: boolean; secure: boolean; requestId: string },
): Response {
  if (response.status === 101) return response;
  const copy = new Response(response.body, response);
  const wanted = {
    ...EVERY_ANSWER,
    ...(of.isApi && API_ANSWER),
    ...(of.secure && { "Strict-Transport-Security": HSTS }),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (!copy.headers.has(name)) copy.headers.set(name, value);
  }
  copy.headers.set("X-Request-Id", of.requestId);
  return copy;
}
