import { Hono } from "hono";
import * as z from "zod/mini";

import { leadIdSchema } from "../../../contract/leads.ts";
import { dropLeadSchema, releaseLeadSchema } from "../../../contract/quarantine.ts";
import { putOnMarketLater } from "../commands.ts";
import { access } from "../../identity/access.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { dropLead, releaseFromQuarantine } from "./commands.ts";

const byId = z.object({ id: leadIdSchema });

/** Routes for super admins' decisions about suspicious requests. */
export const quarantineAdminRoutes = new Hono<AppEnv>()
  .post("/leads/:id/release", access.superAdmin, params(byId), jsonBody(releaseLeadSchema), async (c) => {
    const { leadLifetimeMs } = c.env.settings;
    const by = c.get("act");
    const seen = { ...c.req.valid("param"), ...c.req.valid("json") };
    const lead = await releaseFromQuarantine(c.env.db, seen, leadLifetimeMs, by);
    putOnMarketLater(c.env, c.executionCtx, lead, by.requestId);
    return c.json({ id: lead.id, listingState: lead.listingState });
  })

  .post("/leads/:id/drop", access.superAdmin, params(byId), jsonBody(dropLeadSchema), async (c) => {
    const { reason } = c.req.valid("json");
    const by = c.get("act");
    const lead = await dropLead(c.env.db, c.req.valid("param").id, reason || null, by);
    return c.json({ id: lead.id, listingState: lead.listingState });
  });
