import { api } from "./api.ts";
import { askPublicPages } from "./edge-cache/public-pages.ts";
import { sharedAddress } from "./edge-cache/rules.ts";
import type { Env } from "./env.ts";
import { DomainError, problemResponse } from "./errors.ts";
import { type Caller, identifyCaller, sessionCookieHeader } from "./middleware/caller.ts";
import { requirePlainForm } from "./middleware/body.ts";
import { isForeign } from "./middleware/same-origin.ts";

export type RenderPage = (
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  caller: Caller,
) => Promise<Response>;

/**
 * Answers one request from outside: what everybody may share comes from the cached stage; for the rest
 * origin check and caller once, then the API or a page.
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
  const requestId = request.headers.get("cf-ray") ?? crypto.randomUUID();
  let caller: Caller | null = null;
  let response: Response;
  try {
    const shared = sharedAddress(request);
    if (shared) {
      response = await askPublicPages(request, shared, ctx, requestId);
    } else {
      caller = await identifyCaller(request, env, ctx, requestId);
      response = withRenewedCookie(await answer(request, env, ctx, caller, renderPage), caller);
    }
  } catch (error) {
    response = failure(error, requestId, pathname);
  }
  const { method } = request;
  const userId = caller?.session?.user.id;
  logRequest({ method, pathname, status: response.status, ms: Date.now() - started, requestId, userId });
  return response;
}

/** The API or a page. @throws DomainError for a request from another site or no form of ours */
export async function answer(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  caller: Caller,
  renderPage: RenderPage,
): Promise<Response> {
  if (isForeign(request)) throw new DomainError("foreign_origin");
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/api/")) return api.fetch(request, { ...env, CALLER: caller }, ctx);
  requirePlainForm(request);
  return renderPage(request, env, ctx, caller);
}

/** What went wrong outside of the API: our own no, or D1 away, or a setting malformed. */
function failure(error: unknown, requestId: string, pathname: string): Response {
  if (error instanceof DomainError) return problemResponse(error, requestId);
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  console.error(JSON.stringify({ level: "error", event: "unhandled", requestId, pathname, name, message }));
  return problemResponse(new DomainError("internal"), requestId);
}

/** Whatever is called first on a day prolongs the cookie, unless the answer signs in or out itself. */
function withRenewedCookie(response: Response, { renewed, secure }: Caller): Response {
  if (renewed === null || response.headers.has("Set-Cookie")) return response;
  const copy = new Response(response.body, response);
  copy.headers.append("Set-Cookie", sessionCookieHeader(secure, renewed));
  return copy;
}

/** One line per request: no address, no query, no cookie, no body. */
function logRequest(entry: {
  method: string;
  pathname: string;
  status: number;
  ms: number;
  requestId: string;
  userId: string | undefined;
}) {
  console.log(JSON.stringify({ level: entry.status >= 500 ? "error" : "info", event: "request", ...entry }));
}
