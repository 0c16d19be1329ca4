import { Hono } from "hono";

import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { countNetworkAttempt } from "../../platform/http/rate-limit.ts";
import { countVisit, isFormStart } from "../visits/commands.ts";
import { signStart } from "./start-token.ts";

/** Routes that a form calls while a visitor fills it in. */
export const formRoutes = new Hono<AppEnv>()
  // The page fetches the start on the first interaction, because cached pages cannot carry a timestamp.
  .get("/start", access.anyone, async (c) => {
    await countNetworkAttempt(c.env.START_PER_ADDRESS, c.env.CALLER.prefixes);
    if (isFormStart(c.req.raw)) countVisit(c.env, c.executionCtx, "forms", Date.now());
    const { originHashKey } = c.env.settings;
    if (!originHashKey) return c.body(null, 204);
    return c.json({ startToken: signStart(originHashKey, Date.now()) });
  });
