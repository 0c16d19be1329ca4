import { Hono } from "hono";

import { isRegion } from "../../contract/regions.ts";
import { rememberLiveRegion } from "../auth/commands.ts";
import { database } from "../db/client.ts";
import { upgradeRequest } from "../durable-objects/sockets.ts";
import { exchangeOf, roomOf } from "../durable-objects/stubs.ts";
import { DomainError } from "../errors.ts";
import { access } from "../middleware/access.ts";
import type { AppContext, AppEnv } from "../middleware/caller.ts";
import { isOwnOrigin } from "../middleware/same-origin.ts";

/**
 * A WebSocket carries the session cookie wherever it is opened from, so its Origin has to be ours.
 * @throws DomainError upgrade_required, foreign_origin
 */
function requireOwnUpgrade(c: AppContext) {
  if (c.req.header("Upgrade")?.toLowerCase() !== "websocket") throw new DomainError("upgrade_required");
  const origin = c.req.header("Origin");
  if (!origin || !isOwnOrigin(origin, new URL(c.req.url))) throw new DomainError("foreign_origin");
}

/** The live sockets. Mounted before anything that writes headers: a 101 answer must stay as it is. */
export const liveRoutes = new Hono<AppEnv>()
  .get("/exchange/:region/live", access.business, async (c) => {
    const region = c.req.param("region");
    if (!isRegion(region)) throw new DomainError("not_found", "Unknown region");
    requireOwnUpgrade(c);
    const session = c.get("session");
    if (!(await rememberLiveRegion(database(c.env.DB), session.id, region)))
      throw new DomainError("unauthenticated");
    const owner = { userId: session.user.id, sessionId: session.id };
    return exchangeOf(c.env, region)!.fetch(upgradeRequest(owner, c.req.query("since") ?? null));
  })

  .get("/business/live", access.business, async (c) => {
    requireOwnUpgrade(c);
    const session = c.get("session");
    const owner = { userId: session.user.id, sessionId: session.id };
    return roomOf(c.env, c.get("scope").businessId).fetch(upgradeRequest(owner, null));
  });
