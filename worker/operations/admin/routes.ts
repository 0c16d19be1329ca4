import { Hono } from "hono";

import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { countWaiting } from "./queries.ts";

/**
 * Routes for counts of the items that await super admins. The actions are in the `admin-routes.ts` of each folder.
 */
export const adminRoutes = new Hono<AppEnv>().get("/overview", access.superAdmin, async (c) =>
  c.json(await countWaiting(c.env.db)),
);
