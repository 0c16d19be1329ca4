import { Hono } from "hono";

import { callAnswerSchema } from "../../../contract/request-links.ts";
import { access } from "../../identity/access.ts";
import { beginAct } from "../../leads/request-links/routes.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody } from "../../platform/http/body.ts";
import { announceAnswer, answerCall } from "./store.ts";
import { findRequestByToken } from "../../leads/request-link-store.ts";

/**
 * Stores the customer's response to "Did they call?". The link is the credential. Every link gets the same response,
 * known or not.
 */
export const callRoutes = new Hono<AppEnv>().post(
  "/call-answer",
  access.anyone,
  jsonBody(callAnswerSchema),
  async (c) => {
    const { token, answer } = c.req.valid("json");
    await beginAct(c, token);
    const now = Date.now();
    const found = await findRequestByToken(c.env.db, token);
    const changed = found && (await answerCall(c.env, found.lead.id, answer, now));
    if (changed) c.executionCtx.waitUntil(announceAnswer(c.env, changed, now));
    return c.json({ noted: true });
  },
);
