import { Hono } from "hono";

import { passwordChangeSchema, watchedRegionsSchema } from "../../contract/auth.ts";
import { changePassword, setWatchedRegions } from "../auth/commands.ts";
import { businessOf } from "../auth/rules.ts";
import { database } from "../db/client.ts";
import { closeSockets } from "../durable-objects/stubs.ts";
import { access, notImpersonating } from "../middleware/access.ts";
import { jsonBody } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { countTry } from "../middleware/rate-limit.ts";

export const accountRoutes = new Hono<AppEnv>()
  .put("/watched-regions", access.business, jsonBody(watchedRegionsSchema), async (c) => {
    const { regions } = c.req.valid("json");
    await setWatchedRegions(database(c.env.DB), c.get("session").user.id, regions, Date.now());
    return c.json({ regions });
  })

  .put("/password", access.signedIn, notImpersonating, jsonBody(passwordChangeSchema), async (c) => {
    const session = c.get("session");
    const { requestId } = c.env.CALLER;
    await countTry(c.env.LOGIN_PER_ACCOUNT, session.user.id);
    const ended = await changePassword(database(c.env.DB), session, c.req.valid("json"), {
      now: Date.now(),
      requestId,
    });
    await closeSockets(c.env, ended, businessOf(session.user));
    return c.json({ ok: true });
  });
