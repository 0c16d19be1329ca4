import { Hono } from "hono";

import { access } from "../middleware/access.ts";
import type { AppEnv } from "../platform/app.ts";
import { countNetworkTry } from "../middleware/rate-limit.ts";
import { lookAtHealth } from "./queries.ts";

/** For a monitor outside: no names, no numbers of business, no settings. */
export const healthRoutes = new Hono<AppEnv>().get("/", access.anyone, async (c) => {
  // It wakes every exchange: nobody gets to ask for that all the time.
  await countNetworkTry(c.env.HEALTH_PER_ADDRESS, c.env.CALLER.prefixes);
  const health = await lookAtHealth(c.env, Date.now());
  return c.json(health, health.ok ? 200 : 503, { "Cache-Control": "no-store" });
});
