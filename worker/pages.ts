import { inline } from "virtual:document-scripts";
import { hc } from "hono/client";
import { createRequestHandler, matchRoutes, type RouteObject, RouterContextProvider } from "react-router";

import { isFromIsland, type NextPage } from "../web/documents/form-state.ts";
import { apiContext, policyContext, reportContext, requestContext } from "../web/lib/server-context.ts";
import { type Api, api } from "./api.ts";
import type { Context } from "./platform/context.ts";
import { canSendEmail } from "./outbox/email.ts";
import { log } from "./platform/log.ts";
import type { Caller } from "./platform/caller.ts";
import { contentSecurityPolicy } from "./middleware/security-headers.ts";
import { NO_ROUTE } from "./middleware/request-log.ts";

/** Explicit rendering: our own script renders the widget when needed. */
const TURNSTILE_SCRIPT = "/turnstile/v0/api.js?render=explicit";

const loadBuild = () => import("virtual:react-router/server-build");
const handler = createRequestHandler(loadBuild, import.meta.env.MODE);

let routeTree: Promise<RouteObject[]> | null = null;

/** Builds the route tree from the build's flat list. */
async function loadRouteTree(): Promise<RouteObject[]> {
  const { routes } = await loadBuild();
  const childrenOf = (parentId: string | undefined): RouteObject[] =>
    Object.values(routes).flatMap((route) => {
      if (!route || route.parentId !== parentId) return [];
      const { id, path, index } = route;
      return [index ? { id, path, index } : { id, path, children: childrenOf(id) }];
    });
  return childrenOf(undefined);
}

/** Returns a path that the router can decode. Escapes percent signs in segments that cannot be decoded. */
function readablePath(pathname: string): string {
  return pathname
    .split("/")
    .map((part) => (isDecodable(part) ? part : part.replaceAll("%", "%25")))
    .join("/");
}

function isDecodable(part: string): boolean {
  try {
    // Use the result, or the bundler would remove the call as free of side effects.
    return decodeURIComponent(part).length <= part.length;
  } catch {
    return false;
  }
}

/** Returns the request with a path that the router can decode. The router would log an undecodable path. */
function readable(request: Request): Request {
  const url = new URL(request.url);
  const pathname = readablePath(url.pathname);
  if (pathname === url.pathname) return request;
  url.pathname = pathname;
  return new Request(url, request);
}

/** Returns the route pattern of the page at a path, such as `/location/:slug`. */
export async function pageRoute(pathname: string): Promise<string> {
  const path = readablePath(pathname).replace(/\.data$/, "");
  const matches = matchRoutes(await (routeTree ??= loadRouteTree()), path);
  if (!matches || matches.at(-1)!.route.path === "*") return NO_ROUTE;
  return `/${matches.flatMap(({ route }) => route.path ?? []).join("/")}`.replaceAll("//", "/");
}

/** Headers that a page copies from its API responses. */
type ForwardedHeaders = { cookies: string[]; tags: Set<string> };

/**
 * Returns an API client for page loaders and actions. Calls the API's routes in-process with the identified caller.
 * Collects the API's cookies for the page's response, and the cache tags for purging a shared page.
 */
function inProcessApi(
  request: Request,
  env: Context,
  ctx: ExecutionContext,
  caller: Caller,
  passed: ForwardedHeaders,
) {
  return hc<Api>(new URL(request.url).origin, {
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const response = await api.fetch(new Request(input, init), { ...env, CALLER: caller }, ctx);
      passed.cookies.push(...response.headers.getSetCookie());
      for (const tag of response.headers.get("Cache-Tag")?.split(",") ?? []) passed.tags.add(tag);
      return response;
    },
  });
}

/**
 * Lowers the priority of the application's scripts. Otherwise, on a slow connection, a lead that the user just opened
 * would wait for all scripts.
 */
const SCRIPTS_STEP_BACK = new HTMLRewriter().on("link[rel=modulepreload]", {
  element(link) {
    link.setAttribute("fetchpriority", "low");
  },
});

/** Returns a redirect as JSON. `fetch` would follow the redirect and load the page a second time, so the island opens it. */
function withNextPage(redirect: Response): Response {
  const headers = new Headers(redirect.headers);
  const to = headers.get("Location")!;
  headers.delete("Location");
  return Response.json({ to } satisfies NextPage, { headers });
}

/** Renders a page of `web/` and adds the headers of every page. */
export async function renderPage(
  request: Request,
  env: Context,
  ctx: ExecutionContext,
  caller: Caller,
): Promise<Response> {
  const passed: ForwardedHeaders = { cookies: [], tags: new Set() };
  // A shared page allows its only inline script by hash, because a cached nonce is not secret.
  const nonce = caller.shared ? undefined : crypto.randomUUID().replaceAll("-", "");
  const {
    contactPhone,
    contactEmail,
    legalEntity,
    payments,
    mapsKey,
    stripe,
    adsConversion,
    websiteBuilderUrl,
    turnstile,
    sms,
    checksBreaches,
    retentionDays: requestDays,
    soldRetentionDays: soldDays,
    slowCallers,
    showsSampleClaims,
  } = env.settings;
  const policy = {
    takesCards: false,
    reportsConversions: false,
    usesTurnstile: false,
    completesAddresses: false,
  };
  const context = new RouterContextProvider();
  context.set(apiContext, inProcessApi(request, env, ctx, caller, passed));
  context.set(policyContext, policy);
  context.set(reportContext, (event, error) => log("error", event, { error }));
  context.set(requestContext, {
    nonce,
    contactPhone,
    contactEmail,
    legalEntity,
    payments,
    isSignedIn: caller.session !== null,
    sendsEmail: canSendEmail(env),
    sendsTexts: sms !== null,
    checksBreaches,
    mapsKey,
    adsConversion,
    websiteBuilderUrl,
    retention: { requestDays, soldDays },
    slowCallers,
    showsSampleClaims,
    challenge: turnstile && { siteKey: turnstile.siteKey, scriptUrl: turnstile.host + TURNSTILE_SCRIPT },
  });

  const answer = await handler(readable(request), context);
  const page = isFromIsland(request) && answer.headers.has("Location") ? withNextPage(answer) : answer;
  // Browsers also fetch page data, which is not HTML even if it contains markup.
  const isMarkup = page.headers.get("Content-Type")?.startsWith("text/html") === true;
  const rendered = isMarkup && !caller.shared ? SCRIPTS_STEP_BACK.transform(page) : page;
  const response = new Response(rendered.body, rendered);
  if (passed.tags.size > 0) response.headers.set("Cache-Tag", [...passed.tags].join(","));
  for (const cookie of passed.cookies) response.headers.append("Set-Cookie", cookie);
  response.headers.set(
    "Content-Security-Policy",
    contentSecurityPolicy({
      nonce,
      scriptHash: inline?.hash,
      cards: policy.takesCards ? stripe : null,
      hasMaps: policy.completesAddresses,
      hasAds: policy.reportsConversions,
      challengeHost: policy.usesTurnstile ? (turnstile?.host ?? null) : null,
    }),
  );
  // Stripe's Link opens a popup that needs its opener.
  if (policy.takesCards) response.headers.set("Cross-Origin-Opener-Policy", "same-origin-allow-popups");
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "private, no-cache");
  return response;
}
