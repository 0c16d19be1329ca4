import type { Caller, Session } from "../platform/caller.ts";
import { parse, serialize } from "hono/utils/cookie";

import { touchSession } from "./auth/commands.ts";
import { DEVICE_MS } from "./auth/device-cookie.ts";
import { cacheSession, findCachedSession, findSession } from "./auth/queries.ts";
import { hashToken, SESSION_MS, SESSION_TOUCH_MS, withOwnRights } from "./auth/rules.ts";
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";
import { networkPrefixes } from "../platform/network.ts";

/** Returns the name of the session cookie. The `__Host-` prefix binds it to this host and to https. */
export function sessionCookieName(secure: boolean): string {
  return secure ? "__Host-session" : "session";
}

/** Returns the `Set-Cookie` header for a session's token. An empty token deletes the cookie. */
export function sessionCookieHeader(secure: boolean, token: string): string {
  return serialize(sessionCookieName(secure), token, {
    path: "/",
    httpOnly: true,
    secure: true,
    sameSite: "Lax",
    maxAge: token ? SESSION_MS / 1000 : 0,
  });
}

const THIS_MACHINE = new Set(["localhost", "127.0.0.1"]);
function deviceCookieName(secure: boolean): string {
  return secure ? "__Host-device" : "device";
}

/** Returns the `Set-Cookie` header that identifies a browser that has signed in before. */
export function deviceCookieHeader(secure: boolean, value: string): string {
  return serialize(deviceCookieName(secure), value, {
    path: "/",
    httpOnly: true,
    secure: true,
    sameSite: "Strict",
    maxAge: DEVICE_MS / 1000,
  });
}

const CLAIM_PATHS: ReadonlySet<string> = new Set(["/api/exchange/holds", "/api/create-payment-intent"]);

/**
 * Returns whether a request is a claim. A cached session is enough for claims, because they are frequent and most lose.
 */
function isClaim(request: Request, { pathname }: URL): boolean {
  return request.method === "POST" && CLAIM_PATHS.has(pathname);
}

const LIVE_PATH = /^\/api\/(exchange\/[^/]+|business)\/live$/;

/** Returns whether a request opens a live socket. live/routes.ts reads its session. */
export function isSocketUpgrade(request: Request): boolean {
  const isUpgrade = request.headers.get("Upgrade")?.toLowerCase() === "websocket";
  return isUpgrade && request.method === "GET" && LIVE_PATH.test(new URL(request.url).pathname);
}

/** Returns the client's IP address as Cloudflare reports it, or "local" without Cloudflare. */
export function addressOf(request: Request): string {
  return request.headers.get("CF-Connecting-IP") ?? "local";
}

/**
 * Identifies the caller of an incoming request.
 * @throws only D1's errors
 */
export async function identifyCaller(
  request: Request,
  context: Context,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Caller> {
  const url = new URL(request.url);
  // The local runtime invents a network for its own machine.
  const cf = THIS_MACHINE.has(url.hostname)
    ? undefined
    : (request.cf as Partial<IncomingRequestCfProperties> | undefined);
  const secure = url.protocol === "https:";
  const token = parse(request.headers.get("Cookie") ?? "", sessionCookieName(secure))[
    sessionCookieName(secure)
  ];
  const now = Date.now();
  const db = context.db;
  const tokenHash = token ? hashToken(token) : null;
  async function confirmSession(): Promise<Session | null> {
    const stored = tokenHash ? await findSession(db, tokenHash, Date.now()) : null;
    const found = stored && withOwnRights(stored, context.settings.demandsAdminPasskeys);
    if (tokenHash) cacheSession(tokenHash, found, Date.now());
    return found;
  }
  const recent = tokenHash && isClaim(request, url) ? findCachedSession(tokenHash, now) : null;
  // A socket's 101 response cannot set a cookie. A later response extends the session.
  const isUpgrade = isSocketUpgrade(request);
  const session = isUpgrade ? null : (recent ?? (await confirmSession()));
  // Never extend an impersonation.
  const isRenewable = session !== null && session.impersonatorId === null;
  const due = isRenewable && !recent && now - session.lastSeenAt > SESSION_TOUCH_MS;
  if (due) {
    // If the extension fails, the next call tries again.
    const touched = touchSession(db, session, now);
    ctx.waitUntil(touched.catch((error: unknown) => log("warn", "session_not_prolonged", { error })));
  }
  const address = addressOf(request);
  const prefixes = networkPrefixes(address);
  return {
    requestId,
    address,
    network: prefixes.by64,
    prefixes,
    userAgent: request.headers.get("User-Agent"),
    language: request.headers.get("Accept-Language"),
    country: cf?.country ?? null,
    networkOwner: cf?.asOrganization ?? null,
    device:
      parse(request.headers.get("Cookie") ?? "", deviceCookieName(secure))[deviceCookieName(secure)] ?? null,
    secure,
    session,
    windowOf: null,
    confirmSession: recent ? confirmSession : async () => session,
    sessionHash: session || isUpgrade ? tokenHash : null,
    renewed: due ? token! : null,
    shared: false,
  };
}
