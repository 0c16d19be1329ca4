/** What every answer carries. `public/_headers` says the same of files, which the Worker never sees. */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // An address of ours may hold what somebody typed; other sites learn our origin only.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  // What browsers without frame-ancestors understand.
  "X-Frame-Options": "DENY",
};

const API_ANSWER: Readonly<Record<string, string>> = {
  // An answer that is opened as a page runs nothing and is framed by nobody.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  // An answer that does not say otherwise is for whoever asked, once.
  "Cache-Control": "private, no-store",
};

/** A year, subdomains included; only over https, where browsers listen to it. */
export const HSTS = "max-age=31536000; includeSubDomains";

/**
 * Adds what every answer carries, where it does not say otherwise itself. A page's own policy about its
 * scripts is made where the page is rendered. Sockets' 101 answers must stay as they are.
 * @param of what is known of the request
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
