import { api } from "./api.ts";
import type { Env } from "./env.ts";
import { DomainError, problemResponse } from "./errors.ts";
import { type Caller, identifyCaller, sessionCookieHeader } from "./middleware/caller.ts";
import { isForeign } from "./middleware/same-origin.ts";

export type RenderPage = (
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  caller: Caller,
) => Promise<Response>;

/**
 * Answers one request from outside: origin check and caller once, then the API or a page.
 * @param renderPage kept out of here so that tests inside workerd need no build of the pages
 */
export async function serve(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  renderPage: RenderPage,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const started = Date.now();
  const caller = await identifyCaller(request, env, ctx);
  const answer = async () => {
    if (isForeign(request)) return problemResponse(new DomainError("foreign_origin"), caller.requestId);
    if (pathname.startsWith("/api/")) return api.fetch(request, { ...env, CALLER: caller }, ctx);
    return renderPage(request, env, ctx, caller);
  };
  const response = withRenewedCookie(await answer(), caller);
  logRequest(request, pathname, response.status, Date.now() - started, caller);
  return response;
}

/** Whatever is called first on a day prolongs the cookie, unless the answer signs in or out itself. */
function withRenewedCookie(response: Response, { renewed, secure }: Caller): Response {
  if (renewed === null || response.headers.has("Set-Cookie")) return response;
  const copy = new Response(response.body, response);
  copy.headers.append("Set-Cookie", sessionCookieHeader(secure, renewed));
  return copy;
}

/** One line per request: no address, no query, no cookie, no body. */
function logRequest(request: Request, pathname: string, status: number, ms: number, caller: Caller) {
  const { requestId, session } = caller;
  const level = status >= 500 ? "error" : "info";
  const { method } = request;
  console.log(
    JSON.stringify({
      level,
      event: "request",
      method,
      pathname,
      status,
      ms,
      requestId,
      userId: session?.user.id,
    }),
  );
}
