import { Hono } from "hono";

import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/app.ts";
import { countWaiting } from "./queries.ts";

/** Routes for counts of what waits for super admins. The actions are in each noun's `admin-routes.ts`. */
export const adminRoutes = new Hono<AppEnv>().get("/overview", access.superAdmin, async (c) =>
  c.json(await countWaiting(c.env.db)),
);
