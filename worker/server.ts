import { api, apiRoute } from "./api.ts";
import { database } from "./db/client.ts";
import { drawingTurns, isPicture } from "./edge-cache/pictures.ts";
import { askPublicPages } from "./edge-cache/public-pages.ts";
import { actOf } from "./audit/act.ts";
import type { Caller } from "./caller.ts";
import { sharedAddress } from "./edge-cache/sharing.ts";
import { type Env, settings } from "./env.ts";
import { DomainError, failureResponse } from "./errors.ts";
import { noteImpersonatedCall, noteRefusedCall } from "./impersonation/commands.ts";
import { log, traced } from "./log.ts";
import { deliverNow } from "./messages/deliver-later.ts";
import { devMessages } from "./messages/dev-page.ts";
import { addressOf, identifyCaller, sessionCookieHeader, sessionCookieName } from "./middleware/caller.ts";
import { dropRest, requirePlainForm } from "./middleware/body.ts";
import { leadHome } from "./middleware/canonical-host.ts";
import { leadToOneAddress } from "./middleware/canonical-path.ts";
import { networkPrefixes } from "./network.ts";
import { countNetworkTry } from "./middleware/rate-limit.ts";
import { logRequest, requestIdOf } from "./middleware/request-log.ts";
import { isForeign, isSafe } from "./middleware/same-origin.ts";
import { withSecurityHeaders } from "./middleware/security-headers.ts";
import { isTrouble, troublePage, wantsPage } from "./trouble-page.ts";
import { countVisit } from "./visits/commands.ts";
import { isPageVisit } from "./visits/rules.ts";

/** The pages, kept out of here so that tests inside workerd need no build of them. */
export type Pages = {
  render: (request: Request, env: Env, ctx: ExecutionContext, caller: Caller) => Promise<Response>;
  /** The pattern a path matches, for the log. */
  routeOf: (pathname: string) => Promise<string>;
};

const isApiPath = (pathname: string) => pathname.startsWith("/api/");

/**
 * Answers one request from outside: one that came to another address is led to the right one; what everybody may share
 * comes from the cached stage; for the rest origin check and caller once, then the API or a page.
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
    let refusal: string | null = null;
    try {
      const elsewhere = leadHome(request, settings(env).siteHost) ?? leadToOneAddress(request);
      // Whoever draws a picture knows no caller any more: they are counted here.
      if (isPicture(pathname))
        await countNetworkTry(env.PICTURE_PER_ADDRESS, networkPrefixes(addressOf(request)));
      const shared = elsewhere ? null : sharedAddress(request);
      if (elsewhere) {
        response = elsewhere;
      } else if (shared) {
        response = await askPublicPages(request, shared, ctx, requestId);
      } else {
        caller = await identifyCaller(request, env, ctx, requestId);
        response = withRenewedCookie(await answer(request, env, ctx, caller, pages), caller);
      }
    } catch (error) {
      response = failureResponse(error, requestId);
      refusal = error instanceof DomainError ? error.message : null;
    }
    const isRefused = refusal !== null || isTrouble(request, response);
    if (isRefused && !isApiPath(pathname) && wantsPage(request))
      response = await troublePage(request, env, { answer: response, refusal, requestId });
    await dropRest(request);
    const isSignedIn = Boolean(caller?.session);
    if (isPageVisit(request, response.status, isSignedIn))
      countVisit(env, ctx, "pages", networkPrefixes(addressOf(request)), started);
    const { method } = request;
    const session = caller?.session;
    const who = session
      ? { userId: session.user.id, impersonatorId: session.impersonatorId }
      : caller?.windowOf;
    logRequest({
      method,
      route: await routeOf(method, pathname, pages),
      status: response.status,
      ms: Date.now() - started,
      userId: who?.userId,
      impersonatorId: who?.impersonatorId ?? undefined,
    });
    const secure = protocol === "https:";
    return withSecurityHeaders(response, { isApi: isApiPath(pathname), secure, requestId });
  });
}

/** The pattern of the call or page that answers a path: what stands in its place may be secret. */
async function routeOf(method: string, pathname: string, pages: Pages): Promise<string> {
  return isApiPath(pathname) ? apiRoute(method, pathname) : pages.routeOf(pathname);
}

/** The API or a page. @throws DomainError for a request from another site or no form of ours */
export async function answer(
  request: Request,
  bindings: Env,
  ctx: ExecutionContext,
  caller: Caller,
  pages: Pages,
): Promise<Response> {
  const env: Env = { ...bindings, DELIVER: (ids) => deliverNow(bindings, ids) };
  const url = new URL(request.url);
  if (isForeign(request, url)) throw new DomainError("foreign_origin");
  const shown = devMessages(request, env);
  if (shown) return shown;
  const { pathname } = url;
  const { session, requestId } = caller;
  if (session?.impersonatorId && !isSafe(request)) {
    const { method } = request;
    const route = await routeOf(method, pathname, pages);
    const act = actOf(session, requestId, Date.now());
    const call = { method, pathname, route };
    await noteImpersonatedCall(database(env.DB), call, act);
    if (isApiPath(pathname)) {
      const answer = await api.fetch(request, { ...env, CALLER: caller }, ctx);
      if (answer.status >= 400) {
        // The answer does not wait for the mark, and is given without it.
        const marked = noteRefusedCall(database(env.DB), call, answer.status, act);
        ctx.waitUntil(marked.catch((error: unknown) => log("error", "refusal_not_noted", { error })));
      }
      return answer;
    }
  }
  if (isApiPath(pathname)) return api.fetch(request, { ...env, CALLER: caller }, ctx);
  const plain = await requirePlainForm(request);
  const render = () => pages.render(plain, env, ctx, caller);
  return isPicture(pathname) ? drawingTurns.take(render) : render();
}

/** Whatever is called first on a day prolongs the cookie, unless the answer signs in or out itself. */
function withRenewedCookie(response: Response, { renewed, secure }: Caller): Response {
  const name = `${sessionCookieName(secure)}=`;
  if (renewed === null || response.headers.getSetCookie().some((cookie) => cookie.startsWith(name)))
    return response;
  const copy = new Response(response.body, response);
  copy.headers.append("Set-Cookie", sessionCookieHeader(secure, renewed));
  return copy;
}
