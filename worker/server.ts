import { api, apiRoute } from "./api.ts";
import { database } from "./db/client.ts";
import { askPublicPages } from "./edge-cache/public-pages.ts";
import { sharedAddress } from "./edge-cache/rules.ts";
import type { Env } from "./env.ts";
import { DomainError, problemResponse } from "./errors.ts";
import { noteImpersonatedCall } from "./impersonation/commands.ts";
import { log, traced } from "./log.ts";
import { type Caller, identifyCaller, sessionCookieHeader } from "./middleware/caller.ts";
import { requirePlainForm } from "./middleware/body.ts";
import { logRequest, requestIdOf } from "./middleware/request-log.ts";
import { isForeign, isSafe } from "./middleware/same-origin.ts";
import { withSecurityHeaders } from "./middleware/security-headers.ts";

/** The pages, kept out of here so that tests inside workerd need no build of them. */
export type Pages = {
  render: (request: Request, env: Env, ctx: ExecutionContext, caller: Caller) => Promise<Response>;
  /** The pattern a path matches, for the log. */
  routeOf: (pathname: string) => Promise<string>;
};

const isApiPath = (pathname: string) => pathname.startsWith("/api/");

/**
 * Answers one request from outside: what everybody may share comes from the cached stage; for the rest
 * origin check and caller once, then the API or a page.
 */
export async function serve(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  pages: Pages,
): Promise<Response> {
  const requestId = requestIdOf(request);
  return traced(requestId, async () => {
    const { pathname, protocol } = new URL(request.url);
    const started = Date.now();
    let caller: Caller | null = null;
    let response: Response;
    try {
      const shared = sharedAddress(request);
      if (shared) {
        response = await askPublicPages(request, shared, ctx, requestId);
      } else {
        caller = await identifyCaller(request, env, ctx, requestId);
        response = withRenewedCookie(await answer(request, env, ctx, caller, pages), caller);
      }
    } catch (error) {
      response = failure(error, requestId);
    }
    const { method } = request;
    logRequest({
      method,
      route: isApiPath(pathname) ? apiRoute(method, pathname) : await pages.routeOf(pathname),
      status: response.status,
      ms: Date.now() - started,
      userId: caller?.session?.user.id,
      impersonatorId: caller?.session?.impersonatorId ?? undefined,
    });
    const secure = protocol === "https:";
    return withSecurityHeaders(response, { isApi: isApiPath(pathname), secure, requestId });
  });
}

/** The API or a page. @throws DomainError for a request from another site or no form of ours */
export async function answer(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  caller: Caller,
  pages: Pages,
): Promise<Response> {
  const url = new URL(request.url);
  if (isForeign(request, url)) throw new DomainError("foreign_origin");
  const { pathname } = url;
  const { session, requestId } = caller;
  if (session?.impersonatorId && !isSafe(request)) {
    const { method } = request;
    await noteImpersonatedCall(database(env.DB), session, { method, pathname, requestId, now: Date.now() });
  }
  if (isApiPath(pathname)) return api.fetch(request, { ...env, CALLER: caller }, ctx);
  requirePlainForm(request);
  return pages.render(request, env, ctx, caller);
}

/** What went wrong outside of the API: our own no, or D1 away, or a setting malformed. */
function failure(error: unknown, requestId: string): Response {
  if (error instanceof DomainError) return problemResponse(error, requestId);
  log("error", "unhandled", { error });
  return problemResponse(new DomainError("internal"), requestId);
}

/** Whatever is called first on a day prolongs the cookie, unless the answer signs in or out itself. */
function withRenewedCookie(response: Response, { renewed, secure }: Caller): Response {
  if (renewed === null || response.headers.has("Set-Cookie")) return response;
  const copy = new Response(response.body, response);
  copy.headers.append("Set-Cookie", sessionCookieHeader(secure, renewed));
  return copy;
}
