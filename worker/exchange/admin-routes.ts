import { Hono } from "hono";
import * as z from "zod/mini";

import { pauseRegionSchema } from "../../contract/admin-leads.ts";
import { type PausedRegion, REGION_SLUGS } from "../../contract/regions.ts";
import { access } from "../identity/access.ts";
import { jsonBody, params } from "../platform/http/body.ts";
import type { AppEnv } from "../platform/context.ts";
import { pauseRegion, resumeRegion } from "./commands.ts";
import { listPaused } from "./queries.ts";

const byId = z.object({ id: z.enum(REGION_SLUGS, "Unknown region") });

/** Routes for super admins: list the paused regions, pause a region, resume a region. */
export const regionAdminRoutes = new Hono<AppEnv>()
  .get("/regions/paused", access.superAdmin, async (c) => c.json<PausedRegion[]>(await listPaused(c.env.db)))

  .post("/regions/:id/pause", access.superAdmin, params(byId), jsonBody(pauseRegionSchema), async (c) => {
    const { actor: by, ...act } = c.get("act");
    const { reason } = c.req.valid("json");
    await pauseRegion(c.env, c.req.valid("param").id, { reason, by, ...act });
    return c.json({ paused: true });
  })

  .post("/regions/:id/resume", access.superAdmin, params(byId), async (c) => {
    const { actor: by, ...act } = c.get("act");
    await resumeRegion(c.env, c.req.valid("param").id, { by, ...act });
    return c.json({ paused: false });
  });
