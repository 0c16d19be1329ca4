import { api, apiRoute } from "./api.ts";
import { drawingQueue, isPicture, sharedCacheUrl } from "./platform/edge-cache/sharing.ts";
import { fetchPublicPage } from "./platform/edge-cache/public-pages.ts";
import { actOf } from "./identity/audit/store.ts";
import type { Caller } from "./platform/caller.ts";
import { type Context, contextOf } from "./platform/context.ts";
import type { Bindings } from "./platform/env.ts";
import { DomainError, failureResponse } from "./platform/errors.ts";
import { recordImpersonatedCall, recordRefusedCall } from "./identity/impersonation/commands.ts";
import { log, withRequestId } from "./platform/log.ts";
import { deliverNow } from "./messages/dispatch-commands.ts";
import { devMessages } from "./messages/dev-page.ts";
import {
  addressOf,
  identifyCaller,
  sessionCookieHeader,
  sessionCookieName,
} from "./identity/identify-caller.ts";
import { discardBody, requirePlainForm } from "./platform/http/body.ts";
import { redirectToCanonicalHost, redirectToCanonicalPath } from "./middleware/canonical-address.ts";
import { networkPrefixes } from "./platform/network.ts";
import { countNetworkAttempt } from "./platform/http/rate-limit.ts";
import { logRequest, requestIdOf } from "./middleware/request-log.ts";
import { isForeign, isSafe } from "./platform/http/same-origin.ts";
import { withSecurityHeaders } from "./middleware/security-headers.ts";
import { isServerError, errorPage, wantsPage } from "./error-page.ts";
import { countVisit, isPageVisit } from "./leads/visits/commands.ts";

/** The page renderer. It is injected, so that tests in workerd do not need a build of `web/`. */
export type Pages = {
  render: (request: Request, context: Context, ctx: ExecutionContext, caller: Caller) => Promise<Response>;
  /** Returns the pattern that a path matches, for the log. */
  routeOf: (pathname: string) => Promise<string>;
};

const isApiPath = (pathname: string) => pathname.startsWith("/api/");

/**
 * Handles a request from the network. Redirects a request to a non-canonical URL. Serves shared responses from the
 * cached stage. Otherwise identifies the caller once, checks the origin, and calls the API or renders a page.
 */
export async function serve(
  request: Request,
  bindings: Bindings,
  ctx: ExecutionContext,
  pages: Pages,
): Promise<Response> {
  const requestId = requestIdOf(request);
  return withRequestId(requestId, async () => {
    const { pathname, protocol } = new URL(request.url);
    const started = Date.now();
    let caller: Caller | null = null;
    let context: Context | null = null;
    let response: Response;
    let refusal: string | null = null;
    try {
      context = contextOf(bindings);
      const redirect =
        redirectToCanonicalHost(request, context.settings.siteHost) ?? redirectToCanonicalPath(request);
      // Rate-limit pictures here, because the cached stage that draws them does not know the caller.
      if (isPicture(pathname))
        await countNetworkAttempt(context.PICTURE_PER_ADDRESS, networkPrefixes(addressOf(request)));
      const shared = redirect ? null : sharedCacheUrl(request);
      if (redirect) {
        response = redirect;
      } else if (shared) {
        response = await fetchPublicPage(request, shared, requestId);
      } else {
        caller = await identifyCaller(request, context, ctx, requestId);
        response = withRenewedCookie(await handleRequest(request, bindings, ctx, caller, pages), caller);
      }
    } catch (error) {
      response = failureResponse(error, requestId);
      refusal = error instanceof DomainError ? error.message : null;
    }
    const isRefused = refusal !== null || isServerError(request, response);
    if (isRefused && !isApiPath(pathname) && wantsPage(request))
      response = await errorPage(request, bindings, { response: response, refusal, requestId });
    await discardBody(request);
    const isSignedIn = Boolean(caller?.session);
    if (context && isPageVisit(request, response.status, isSignedIn))
      countVisit(context, ctx, "pages", started);
    const { method } = request;
    const session = caller?.session;
    const logIdentity = session
      ? { userId: session.user.id, impersonatorId: session.impersonatorId }
      : caller?.windowOf;
    logRequest({
      method,
      route: await routeOf(method, pathname, pages),
      status: response.status,
      ms: Date.now() - started,
      userId: logIdentity?.userId,
      impersonatorId: logIdentity?.impersonatorId ?? undefined,
    });
    const secure = protocol === "https:";
    return withSecurityHeaders(response, { isApi: isApiPath(pathname), secure, requestId });
  });
}

/** Returns the route pattern of a path, for the log. The path itself may contain a secret. */
async function routeOf(method: string, pathname: string, pages: Pages): Promise<string> {
  return isApiPath(pathname) ? apiRoute(method, pathname) : pages.routeOf(pathname);
}

/** Calls the API or renders a page. @throws DomainError for a request from another site or an unsupported form */
export async function handleRequest(
  request: Request,
  bindings: Bindings,
  ctx: ExecutionContext,
  caller: Caller,
  pages: Pages,
): Promise<Response> {
  const base = contextOf(bindings);
  const context: Context = { ...base, DELIVER: (ids) => deliverNow(base, ids) };
  const url = new URL(request.url);
  if (isForeign(request, url)) throw new DomainError("foreign_origin");
  const devResponse = devMessages(request, context);
  if (devResponse) return devResponse;
  const { pathname } = url;
  const { session, requestId } = caller;
  if (session?.impersonatorId && !isSafe(request)) {
    const { method } = request;
    const route = await routeOf(method, pathname, pages);
    const act = actOf(session, requestId, Date.now());
    const call = { method, pathname, route };
    await recordImpersonatedCall(context.db, call, act);
    if (isApiPath(pathname)) {
      const response = await api.fetch(request, { ...context, CALLER: caller }, ctx);
      if (response.status >= 400) {
        // Do not delay or fail the response because of this write.
        const recorded = recordRefusedCall(context.db, call, response.status, act);
        ctx.waitUntil(recorded.catch((error: unknown) => log("error", "refusal_not_noted", { error })));
      }
      return response;
    }
  }
  if (isApiPath(pathname)) return api.fetch(request, { ...context, CALLER: caller }, ctx);
  const plain = await requirePlainForm(request);
  const render = () => pages.render(plain, context, ctx, caller);
  return isPicture(pathname) ? drawingQueue.take(render) : render();
}

/** Adds the renewed session cookie if due, unless the response itself sets the session cookie. */
function withRenewedCookie(response: Response, { renewed, secure }: Caller): Response {
  const name = `${sessionCookieName(secure)}=`;
  if (renewed === null || response.headers.getSetCookie().some((cookie) => cookie.startsWith(name)))
    return response;
  const copy = new Response(response.body, response);
  copy.headers.append("Set-Cookie", sessionCookieHeader(secure, renewed));
  return copy;
}
