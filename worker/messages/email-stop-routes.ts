import { Hono } from "hono";
import * as z from "zod/mini";

import { type EmailStop, emailStopSchema, stopTokenSchema } from "../../contract/email-stops.ts";
import { access } from "../identity/access.ts";
import { jsonBody, query } from "../platform/http/body.ts";
import type { AppEnv } from "../platform/app.ts";
import { countNetworkAttempt } from "../platform/http/rate-limit.ts";
import { stoppedSince, recordStop } from "./stop-commands.ts";
import { readStop } from "./stop-rules.ts";

const byToken = z.object({ token: stopTokenSchema });

/**
 * Opt-out routes for recipients of emails about requests. They need no sign-in: the link in the email is the
 * credential. An invalid link gets the same response as a valid one and changes nothing.
 */
export const emailStopRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, query(byToken), async (c) => {
    const hash = readStop(c.env.settings.originHashKey, c.req.valid("query").token);
    const since = hash && (await stoppedSince(c.env.db, hash));
    return c.json({ isStopped: since !== null } satisfies EmailStop);
  })

  .post("/", access.anyone, jsonBody(emailStopSchema), async (c) => {
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, c.env.CALLER.prefixes);
    const { token, isStopped } = c.req.valid("json");
    const hash = readStop(c.env.settings.originHashKey, token);
    if (hash) await recordStop(c.env.db, hash, isStopped, Date.now());
    return c.json({ isStopped } satisfies EmailStop);
  });
