import { Hono } from "hono";

import { manualLeadSchema } from "../../contract/manual-leads.ts";
import { database } from "../db/client.ts";
import { settings } from "../env.ts";
import { addManualLead } from "../leads/manual-commands.ts";
import { notifyRoom } from "../live/room.ts";
import { access } from "../middleware/access.ts";
import { jsonBody } from "../middleware/body.ts";
import { countTry } from "../middleware/rate-limit.ts";
import type { AppEnv } from "../platform/app.ts";

/** Routes for leads that providers add themselves. */
export const manualLeadRoutes = new Hono<AppEnv>().post(
  "/manual",
  access.owner,
  jsonBody(manualLeadSchema),
  async (c) => {
    const session = c.get("session");
    const scope = c.get("scope");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    const purchase = await addManualLead(database(c.env.DB), session, scope, c.req.valid("json"), {
      ...c.get("act"),
      lifetimeMs: settings(c.env).leadLifetimeMs,
    });
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, purchase.id));
    return c.json(purchase, 201);
  },
);
