import { Hono } from "hono";

import { userIdSchema } from "../contract/auth.ts";
import { isRegion } from "../contract/regions.ts";
import { recordSocket } from "./identity/auth/commands.ts";
import { reconnectRequest, upgradeRequest, WINDOW_USER_HEADER } from "./live/sockets.ts";
import { exchangeOf } from "./exchange/exchange-calls.ts";
import { roomOf } from "./live/room.ts";
import { DomainError } from "./platform/errors.ts";
import { access, socketScope } from "./identity/access.ts";
import type { AppContext, AppEnv } from "./platform/context.ts";
import { isOwnOrigin } from "./platform/http/same-origin.ts";

/** A Durable Object that accepts windows. */
type Host = Pick<DurableObjectStub, "fetch">;

/**
 * Checks that a WebSocket upgrade comes from our own pages. Browsers send the session cookie with WebSockets from any
 * site.
 * @returns the hash of the caller's session token
 * @throws DomainError upgrade_required, foreign_origin, unauthenticated
 */
function requireOwnUpgrade(c: AppContext): string {
  if (c.req.header("Upgrade")?.toLowerCase() !== "websocket") throw new DomainError("upgrade_required");
  const origin = c.req.header("Origin");
  if (!origin || !isOwnOrigin(origin, new URL(c.req.url))) throw new DomainError("foreign_origin");
  const { sessionHash } = c.env.CALLER;
  if (!sessionHash) throw new DomainError("unauthenticated");
  return sessionHash;
}

/**
 * Reconnects a window whose session the object still knows, without querying D1.
 * @returns null if the object does not know the session
 */
async function reconnect(c: AppContext, host: Host, hash: string, since: string | null) {
  const upgraded = await host.fetch(reconnectRequest(hash, since));
  const { webSocket } = upgraded;
  if (!webSocket) return null;
  c.env.CALLER.windowOf = { userId: upgraded.headers.get(WINDOW_USER_HEADER)!, impersonatorId: null };
  return new Response(null, { status: 101, webSocket });
}

/**
 * Checks a window's session in D1, records the socket's place there and connects the window.
 * @param host returns the object to connect to, given the business of the session
 * @throws DomainError unauthenticated, also if the session ends during the call; must_change_password, forbidden
 */
async function connect(
  c: AppContext,
  hash: string,
  place: Parameters<typeof recordSocket>[2],
  host: (businessId: string) => Host,
) {
  const session = await recordSocket(c.env.db, hash, place, Date.now());
  const { businessId, userId } = socketScope(session);
  const { id: sessionId, impersonatorId, expiresAt: endsAt } = session!;
  c.env.CALLER.windowOf = { userId, impersonatorId };
  const owner = { userId, sessionId, sessionHash: hash, endsAt };
  const { webSocket } = await host(businessId).fetch(upgradeRequest(owner, c.req.query("since") ?? null));
  // The session ended before the upgrade arrived.
  if (!webSocket) throw new DomainError("unauthenticated");
  return new Response(null, { status: 101, webSocket });
}

/** The live sockets. Mount these before any middleware that writes headers: a 101 response must not be changed. */
export const liveRoutes = new Hono<AppEnv>()
  .get("/exchange/:region/live", access.socket, async (c) => {
    const region = c.req.param("region");
    if (!isRegion(region)) throw new DomainError("not_found", "Unknown region");
    const hash = requireOwnUpgrade(c);
    const exchange = exchangeOf(c.env, region)!;
    const since = c.req.query("since") ?? null;
    // Only a window that was connected before sends a cursor.
    return (
      (since && (await reconnect(c, exchange, hash, since))) || connect(c, hash, { region }, () => exchange)
    );
  })

  .get("/business/live", access.socket, async (c) => {
    const hash = requireOwnUpgrade(c);
    // The browser sends its previous room. The room itself verifies the session.
    const { data: hint } = userIdSchema.safeParse(c.req.query("business"));
    const known = hint && (await reconnect(c, roomOf(c.env, hint), hash, null));
    return known || connect(c, hash, "own-room", (businessId) => roomOf(c.env, businessId));
  });
