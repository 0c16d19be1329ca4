import { Hono } from "hono";

import { database } from "../db/client.ts";
import { access } from "../middleware/access.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { countWaiting } from "./queries.ts";

/** The admin's own pages: what waits there. Each list stands with its noun. */
export const adminRoutes = new Hono<AppEnv>().get("/overview", access.superAdmin, async (c) =>
  c.json(await countWaiting(database(c.env.DB))),
);
