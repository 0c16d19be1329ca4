import { Hono } from "hono";
import * as z from "zod/mini";

import { BAD_LEAD_STATES, freeClaimDecisionSchema } from "../../../contract/bad-leads.ts";
import { notifyRoom } from "../../live/room.ts";
import { access } from "../../identity/access.ts";
import { expireLinkingPages } from "../../identity/providers/commands.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { answerBadLeadReport, listBadLeads } from "./store.ts";

const byId = z.object({ id: z.string().check(z.regex(/^bad_[0-9a-z]{8,40}$/)) });
const listQuery = z.object({
  ...pageParams(50),
  state: z._default(z.enum(BAD_LEAD_STATES, "Unknown state"), "open"),
});

export const badLeadAdminRoutes = new Hono<AppEnv>()
  .get("/bad-leads", access.superAdmin, query(listQuery), async (c) => {
    const { state, limit, cursor } = c.req.valid("query");
    const rows = await listBadLeads(c.env.db, { state, after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .post(
    "/bad-leads/:id/answer",
    access.superAdmin,
    params(byId),
    jsonBody(freeClaimDecisionSchema),
    async (c) => {
      const by = c.get("act");
      const { id } = c.req.valid("param");
      const { buyerId, purchaseId } = await answerBadLeadReport(c.env.db, id, c.req.valid("json"), by);
      await expireLinkingPages(c.env.db, c.req.url, buyerId, "purge");
      const room = { businessId: buyerId, userId: by.actor.userId };
      c.executionCtx.waitUntil(notifyRoom(c.env, room, purchaseId));
      return c.json({ id, state: c.req.valid("json").decision });
    },
  );
