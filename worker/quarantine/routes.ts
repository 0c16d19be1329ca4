import { Hono } from "hono";
import * as z from "zod/mini";

import { dropLeadSchema } from "../../contract/quarantine.ts";
import { leadIdSchema } from "../../contract/leads.ts";
import { database } from "../db/client.ts";
import { settings } from "../env.ts";
import { putOnMarketLater } from "../leads/commands.ts";
import { access } from "../middleware/access.ts";
import { jsonBody, params } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { countTry } from "../middleware/rate-limit.ts";
import { dropLead, releaseLead } from "./commands.ts";
import { signStart } from "./start-rules.ts";

const byId = z.object({ id: leadIdSchema });

/** What forms ask for while they are filled in. */
export const formRoutes = new Hono<AppEnv>()
  // Fetched with the first touch: pages are shared, and a shared page can carry no time of its own.
  .get("/start", access.anyone, async (c) => {
    const { originHashKey } = settings(c.env);
    if (!originHashKey) return c.body(null, 204);
    await countTry(c.env.START_PER_ADDRESS, c.env.CALLER.network);
    return c.json({ startToken: await signStart(originHashKey, Date.now()) });
  });

/** What super admins decide about suspicious requests. */
export const quarantineRoutes = new Hono<AppEnv>()
  .post("/leads/:id/release", access.superAdmin, params(byId), async (c) => {
    const { leadLifetimeMs } = settings(c.env);
    const by = c.get("act");
    const lead = await releaseLead(database(c.env.DB), c.req.valid("param").id, leadLifetimeMs, by);
    putOnMarketLater(c.env, c.executionCtx, lead, by.requestId);
    return c.json({ id: lead.id, listingState: lead.listingState });
  })

  .post("/leads/:id/drop", access.superAdmin, params(byId), jsonBody(dropLeadSchema), async (c) => {
    const { reason } = c.req.valid("json");
    const by = c.get("act");
    const lead = await dropLead(database(c.env.DB), c.req.valid("param").id, reason || null, by);
    return c.json({ id: lead.id, listingState: lead.listingState });
  });
