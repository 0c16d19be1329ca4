import { Hono } from "hono";

import { callAnswerSchema } from "../../../contract/call-clock.ts";
import { access } from "../../identity/access.ts";
import { hashToken } from "../../identity/auth/tokens.ts";
import type { AppEnv } from "../../platform/app.ts";
import { jsonBody } from "../../platform/http/body.ts";
import { countNetworkAttempt, countTry } from "../../platform/http/rate-limit.ts";
import { log } from "../../platform/log.ts";
import { announceAnswer, answerCall } from "./commands.ts";

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
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, c.env.CALLER.prefixes);
    await countTry(c.env.FORM_PER_ADDRESS, `link ${hashToken(token)}`);
    const now = Date.now();
    const changed = await answerCall(c.env, token, answer, now);
    if (changed) {
      const announced = announceAnswer(c.env, changed, now).catch((error: unknown) =>
        log("warn", "call_answer_not_announced", { purchaseId: changed.purchaseId, error }),
      );
      c.executionCtx.waitUntil(announced);
    }
    return c.json({ noted: true });
  },
);
