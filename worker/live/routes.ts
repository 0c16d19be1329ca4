import { Hono } from "hono";

import { userIdSchema } from "../../contract/auth.ts";
import { isRegion } from "../../contract/regions.ts";
import { noteSocket } from "../auth/socket-commands.ts";
import { database } from "../db/client.ts";
import { returningRequest, upgradeRequest, WINDOW_OF } from "./sockets.ts";
import { exchangeOf } from "../exchange/stub.ts";
import { roomOf } from "./room.ts";
import { DomainError } from "../errors.ts";
import { access, socketScope } from "../middleware/access.ts";
import type { AppContext, AppEnv } from "../platform/app.ts";
import { isOwnOrigin } from "../middleware/same-origin.ts";

/** An object that takes in windows. */
type Host = Pick<DurableObjectStub, "fetch">;

/**
 * A WebSocket carries the session cookie wherever it is opened from, so its Origin has to be ours.
 * @returns the hash of the session's token that the browser sent
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
 * A window that comes back within the hour is known where it was: D1 is not asked.
 * @returns null when the object does not know it, or is of a release that never knows anybody
 */
async function comeBack(c: AppContext, host: Host, hash: string, since: string | null) {
  const answer = await host.fetch(returningRequest(hash, since));
  const { webSocket } = answer;
  if (!webSocket) return null;
  const userId = answer.headers.get(WINDOW_OF);
  if (userId) {
    c.env.CALLER.windowOf = { userId, impersonatorId: null };
    return new Response(null, { status: 101, webSocket });
  }
  webSocket.accept();
  webSocket.close();
  return null;
}

/**
 * Lets a window in on D1's word, which also notes where it is.
 * @param host where it leads, once it is known which business it belongs to
 * @throws DomainError unauthenticated, also when the session ends meanwhile; must_change_password, forbidden
 */
async function enter(
  c: AppContext,
  hash: string,
  place: Parameters<typeof noteSocket>[2],
  host: (businessId: string) => Host,
) {
  const session = await noteSocket(database(c.env.DB), hash, place, Date.now());
  const { businessId, userId } = socketScope(session);
  const { id: sessionId, impersonatorId, expiresAt: endsAt } = session!;
  c.env.CALLER.windowOf = { userId, impersonatorId };
  const owner = { userId, sessionId, sessionHash: hash, endsAt };
  const { webSocket } = await host(businessId).fetch(upgradeRequest(owner, c.req.query("since") ?? null));
  // Its end was here before its upgrade.
  if (!webSocket) throw new DomainError("unauthenticated");
  return new Response(null, { status: 101, webSocket });
}

/** The live sockets. Mounted before anything that writes headers: a 101 answer must stay as it is. */
export const liveRoutes = new Hono<AppEnv>()
  .get("/exchange/:region/live", access.socket, async (c) => {
    const region = c.req.param("region");
    if (!isRegion(region)) throw new DomainError("not_found", "Unknown region");
    const hash = requireOwnUpgrade(c);
    const exchange = exchangeOf(c.env, region)!;
    const since = c.req.query("since") ?? null;
    // Only who was here before has a place to go on from.
    return (
      (since && (await comeBack(c, exchange, hash, since))) || enter(c, hash, { region }, () => exchange)
    );
  })

  .get("/business/live", access.socket, async (c) => {
    const hash = requireOwnUpgrade(c);
    // Which room a window was in; whether that is true, the room knows.
    const { data: hint } = userIdSchema.safeParse(c.req.query("business"));
    const known = hint && (await comeBack(c, roomOf(c.env, hint), hash, null));
    return known || enter(c, hash, "own-room", (businessId) => roomOf(c.env, businessId));
  });
