import type { Context } from "hono";
import { parse, serialize } from "hono/utils/cookie";

import { touchSession } from "../auth/commands.ts";
import { findSession, type Session } from "../auth/queries.ts";
import { recallSession, rememberSession } from "../auth/recent-sessions.ts";
import { hashToken, SESSION_MS, SESSION_TOUCH_MS } from "../auth/rules.ts";
import { database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";

/**
 * Who asks, worked out once on the outer request. Page loaders that call the API in-process hand it on
 * as an argument, never as headers: a browser cannot forge an argument.
 */
export type Caller = {
  requestId: string;
  /** The client's network address, for rate limits only; it is stored nowhere. */
  address: string;
  userAgent: string | null;
  /** Whether the browser came over https. */
  secure: boolean;
  session: Session | null;
  /** The session as D1 has it now: for what may only be decided on fresh word. */
  confirmSession: () => Promise<Session | null>;
  /** Hash of the session's token: by it a statement can do its work only while the session lives. */
  sessionHash: string | null;
  /** The session's token, when its cookie is due for a new lifetime; the outer answer carries it. */
  renewed: string | null;
  /** Nothing is known of the caller, and the answer may go to many: nothing in it may be for one of them. */
  shared: boolean;
};

/** What every handler of the API works with. */
export type AppEnv = { Bindings: Env & { CALLER: Caller } };
/** A handler's context, whichever gate it stands behind. */
// oxlint-disable-next-line typescript/no-explicit-any -- Variables differ by gate and are not read through this type
export type AppContext = Context<AppEnv & { Variables: any }>;

/** Name of the session cookie; the `__Host-` prefix binds it to this very host and to https. */
export function sessionCookieName(secure: boolean): string {
  return secure ? "__Host-session" : "session";
}

/** The `Set-Cookie` header for a session's token; an empty token takes the cookie away. */
export function sessionCookieHeader(secure: boolean, token: string): string {
  return serialize(sessionCookieName(secure), token, {
    path: "/",
    httpOnly: true,
    secure: true,
    sameSite: "Lax",
    maxAge: token ? SESSION_MS / 1000 : 0,
  });
}

/** Claims are many and nearly all lose: they may be decided on a session that was read a moment ago. */
function isClaim(request: Request, { pathname }: URL): boolean {
  return request.method === "POST" && pathname === "/api/create-payment-intent";
}

/**
 * Works out the caller of a request from outside.
 * @throws nothing of its own; D1's errors pass through
 */
export async function identifyCaller(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Caller> {
  const url = new URL(request.url);
  const secure = url.protocol === "https:";
  const token = parse(request.headers.get("Cookie") ?? "", sessionCookieName(secure))[
    sessionCookieName(secure)
  ];
  const now = Date.now();
  const db = database(env.DB);
  const tokenHash = token ? hashToken(token) : null;
  async function confirmSession(): Promise<Session | null> {
    const found = tokenHash ? await findSession(db, tokenHash, Date.now()) : null;
    if (tokenHash) rememberSession(tokenHash, found, Date.now());
    return found;
  }
  const recent = tokenHash && isClaim(request, url) ? recallSession(tokenHash, now) : null;
  const session = recent ?? (await confirmSession());
  // A socket's 101 answer carries no cookie: the session stays due until an answer that can.
  const isUpgrade = request.headers.has("Upgrade");
  // An impersonation is never prolonged.
  const lasts = session !== null && session.impersonatorId === null;
  const due = lasts && !isUpgrade && !recent && now - session.lastSeenAt > SESSION_TOUCH_MS;
  if (due) {
    // It stays due: the next call tries again.
    const touched = touchSession(db, session.id, now);
    ctx.waitUntil(touched.catch((error: unknown) => log("warn", "session_not_prolonged", { error })));
  }
  return {
    requestId,
    address: request.headers.get("CF-Connecting-IP") ?? "local",
    userAgent: request.headers.get("User-Agent"),
    secure,
    session,
    confirmSession: recent ? confirmSession : async () => session,
    sessionHash: session && tokenHash,
    renewed: due ? token! : null,
    shared: false,
  };
}
