import { Hono } from "hono";

import { watchedRegionsSchema } from "../../contract/auth.ts";
import { setWatchedRegions } from "../auth/commands.ts";
import { database } from "../db/client.ts";
import { access } from "../middleware/access.ts";
import { jsonBody } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";

export const accountRoutes = new Hono<AppEnv>().put(
  "/watched-regions",
  access.business,
  jsonBody(watchedRegionsSchema),
  async (c) => {
    const { regions } = c.req.valid("json");
    await setWatchedRegions(database(c.env.DB), c.get("session").user.id, regions, Date.now());
    return c.json({ regions });
  },
);
