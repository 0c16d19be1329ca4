import { Hono } from "hono";
import * as z from "zod/mini";

import { freeClaimDecisionSchema } from "../../../contract/bad-leads.ts";
import { GUARANTEE_LISTS } from "../../../contract/guarantee.ts";
import { access } from "../../identity/access.ts";
import { expireLinkingPages } from "../../identity/providers/commands.ts";
import { leadIdSchema } from "../../../contract/leads.ts";
import { notifyRoom } from "../../live/room.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { answerCase } from "./case-commands.ts";
import { reportWrongNumber } from "./commands.ts";
import { listCases } from "./queries.ts";

const byPurchase = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });
const listQuery = z.object({
  ...pageParams(50),
  list: z._default(z.enum(GUARANTEE_LISTS, "Unknown list"), "open"),
});

export const guaranteeAdminRoutes = new Hono<AppEnv>()
  .get("/guarantee", access.superAdmin, query(listQuery), async (c) => {
    const { list, limit, cursor } = c.req.valid("query");
    const rows = await listCases(c.env.db, { list, after: readAfter(cursor), limit });
    linkNext(
      c,
      rows.map(({ purchaseId, updatedAt }) => ({ id: purchaseId, createdAt: updatedAt })),
      limit,
    );
    return c.json(rows);
  })

  .post(
    "/guarantee/:id/answer",
    access.superAdmin,
    params(byPurchase),
    jsonBody(freeClaimDecisionSchema),
    async (c) => {
      const by = c.get("act");
      const { id } = c.req.valid("param");
      const { buyerId, purchaseId } = await answerCase(c.env.db, id, c.req.valid("json"), by);
      await expireLinkingPages(c.env.db, c.req.url, buyerId, "purge");
      const room = { businessId: buyerId, userId: by.actor.userId };
      c.executionCtx.waitUntil(notifyRoom(c.env, room, purchaseId));
      return c.json({ id, state: c.req.valid("json").decision });
    },
  )

  /** An admin's word that a sold lead's number is wrong. */
  .post("/leads/:id/wrong-number", access.superAdmin, params(z.object({ id: leadIdSchema })), async (c) => {
    const { id } = c.req.valid("param");
    const act = c.get("act");
    await reportWrongNumber(c.env, id, act.now, act);
    return c.json({ id });
  });
