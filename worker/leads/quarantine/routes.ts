import { Hono } from "hono";

import { settings } from "../../platform/env.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/app.ts";
import { countNetworkTry } from "../../platform/http/rate-limit.ts";
import { countVisit } from "../visits/commands.ts";
import { signStart } from "./start-token.ts";

/** What forms ask for while they are filled in. */
export const formRoutes = new Hono<AppEnv>()
  // Fetched with the first touch: pages are shared, and a shared page can carry no time of its own.
  .get("/start", access.anyone, async (c) => {
    await countNetworkTry(c.env.START_PER_ADDRESS, c.env.CALLER.prefixes);
    // As a browser on our own page says of itself.
    if (c.req.header("Sec-Fetch-Site") === "same-origin")
      countVisit(c.env, c.executionCtx, "forms", c.env.CALLER.prefixes, Date.now());
    const { originHashKey } = settings(c.env);
    if (!originHashKey) return c.body(null, 204);
    return c.json({ startToken: await signStart(originHashKey, Date.now()) });
  });
