import { Hono } from "hono";
import * as z from "zod/mini";

import { DUD_STATES, dudAnswerSchema, dudReportSchema } from "../../contract/duds.ts";
import { leadIdSchema } from "../../contract/leads.ts";
import { database } from "../db/client.ts";
import { settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { access, notImpersonating } from "../middleware/access.ts";
import { jsonBody, params, query } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { linkNext, pageParams, readAfter } from "../middleware/paging.ts";
import { notifyRoom } from "../live/room.ts";
import { toPurchasedLead } from "../purchases/rules.ts";
import { answerDud, reportDud } from "./commands.ts";
import { claimWithCredit } from "./credit-commands.ts";
import { listDuds, readDesk } from "./queries.ts";

const byPurchase = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });
const byReport = z.object({ id: z.string().check(z.regex(/^dud_[0-9a-z]{8,40}$/)) });
const byLead = z.object({ id: leadIdSchema });
const listQuery = z.object({
  ...pageParams(50),
  state: z._default(z.enum(DUD_STATES, "Unknown state"), "open"),
});

/** Reports of leads that lead nowhere, what admins answer, and the free claims it brings. */
export const dudRoutes = new Hono<AppEnv>()
  .get("/duds", access.business, async (c) => c.json(await readDesk(database(c.env.DB), c.get("scope"))))

  .post(
    "/lead-purchases/:id/dud",
    access.owner,
    notImpersonating,
    params(byPurchase),
    jsonBody(dudReportSchema),
    async (c) => {
      const { id } = c.req.valid("param");
      const form = c.req.valid("json");
      return c.json(await reportDud(database(c.env.DB), c.get("scope"), id, form, c.get("act")), 201);
    },
  )

  .post("/leads/:id/claim-with-credit", access.owner, notImpersonating, params(byLead), async (c) => {
    const { user } = c.get("session");
    if (settings(c.env).requireVerified && !user.isVerified) throw new DomainError("not_verified");
    const { id } = c.req.valid("param");
    const { purchase, lead } = await claimWithCredit(c.env, c.get("scope"), id, Date.now(), c.executionCtx);
    return c.json(toPurchasedLead(purchase, lead), 201);
  })

  .get("/super-admin/duds", access.superAdmin, query(listQuery), async (c) => {
    const { state, limit, cursor } = c.req.valid("query");
    const rows = await listDuds(database(c.env.DB), { state, after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .post(
    "/super-admin/duds/:id/answer",
    access.superAdmin,
    params(byReport),
    jsonBody(dudAnswerSchema),
    async (c) => {
      const by = c.get("act");
      const { id } = c.req.valid("param");
      const { buyerId, purchaseId } = await answerDud(database(c.env.DB), id, c.req.valid("json"), by);
      const room = { businessId: buyerId, userId: by.actor.userId };
      c.executionCtx.waitUntil(notifyRoom(c.env, room, purchaseId));
      return c.json({ id, state: c.req.valid("json").decision });
    },
  );
