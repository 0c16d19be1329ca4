import { Hono } from "hono";

import { manualLeadSchema } from "../../contract/manual-leads.ts";
import { addManualLead } from "./manual-commands.ts";
import { notifyRoom } from "../live/room.ts";
import { access } from "../identity/access.ts";
import { jsonBody } from "../platform/http/body.ts";
import { countTry } from "../platform/http/rate-limit.ts";
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
    const purchase = await addManualLead(c.env.db, session, scope, c.req.valid("json"), {
      ...c.get("act"),
      lifetimeMs: c.env.settings.leadLifetimeMs,
    });
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, purchase.id));
    return c.json(purchase, 201);
  },
);
