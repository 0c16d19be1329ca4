import { Hono } from "hono";
import * as z from "zod/mini";

import { contestSchema, guaranteeAnswerSchema } from "../../../contract/guarantee.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { beginAct } from "../../leads/request-links/routes.ts";
import { notifyRoom } from "../../live/room.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import { contestCase } from "./case-commands.ts";
import { answerMissedCalls, reportWrongNumber } from "./commands.ts";
import { readFreeClaimRate } from "./queries.ts";
import { findRequestByToken } from "../../leads/request-link-store.ts";

const byPurchase = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });

export const guaranteeRoutes = new Hono<AppEnv>()
  .get("/guarantee-rate", access.anyone, async (c) => c.json({ rate: await readFreeClaimRate(c.env.db) }))

  /**
   * Stores what the customer says about the lead. The link is the credential. Every link gets the same response, known or
   * not.
   */
  .post("/requests/guarantee", access.anyone, jsonBody(guaranteeAnswerSchema), async (c) => {
    const { token, answer } = c.req.valid("json");
    await beginAct(c, token);
    const now = Date.now();
    const found = await findRequestByToken(c.env.db, token);
    if (found && answer === "wrong_number") await reportWrongNumber(c.env, found.lead.id, now);
    else if (found) await answerMissedCalls(c.env, found.lead.id, answer === "missed", now);
    return c.json({ noted: true });
  })

  .post(
    "/lead-purchases/:id/contest",
    access.owner,
    notImpersonating,
    params(byPurchase),
    jsonBody(contestSchema),
    async (c) => {
      const { id } = c.req.valid("param");
      const scope = c.get("scope");
      await contestCase(c.env.db, scope, id, c.req.valid("json"), c.get("act"));
      c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
      return c.json({ purchaseId: id });
    },
  );
