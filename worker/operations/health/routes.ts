import { Hono } from "hono";

import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { countNetworkAttempt } from "../../platform/http/rate-limit.ts";
import { checkHealth } from "./queries.ts";

/** Reports health to an external monitor, without names, business figures or settings. */
export const healthRoutes = new Hono<AppEnv>().get("/", access.anyone, async (c) => {
  // Each call wakes every exchange, so it is rate-limited per network.
  await countNetworkAttempt(c.env.HEALTH_PER_ADDRESS, c.env.CALLER.prefixes);
  const health = await checkHealth(c.env, Date.now());
  return c.json(health, health.ok ? 200 : 503, { "Cache-Control": "no-store" });
});
