import { Hono } from "hono";
import * as z from "zod/mini";

import { userIdSchema } from "../../../contract/auth.ts";
import { PAYMENT_STATES, paymentIdSchema, refundSchema } from "../../../contract/payments.ts";
import { access } from "../../identity/access.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { refundByAdmin, releaseByAdmin } from "./refund-commands.ts";
import { listLedger } from "./queries.ts";

const listQuery = z.object({
  ...pageParams(50),
  state: z.optional(z.enum(PAYMENT_STATES, "Unknown state")),
  buyerId: z.optional(userIdSchema),
  q: z._default(z.string().check(z.trim(), z.maxLength(120)), ""),
});

const byId = z.object({ id: paymentIdSchema });

export const paymentAdminRoutes = new Hono<AppEnv>()
  .get("/payments", access.superAdmin, query(listQuery), async (c) => {
    const { state, buyerId, q, limit, cursor } = c.req.valid("query");
    const rows = await listLedger(c.env.db, { state, buyerId, q, after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .post("/payments/:id/refund", access.superAdmin, params(byId), jsonBody(refundSchema), async (c) => {
    const { reason } = c.req.valid("json");
    return c.json(await refundByAdmin(c.env, c.req.valid("param").id, reason, c.get("act")));
  })

  .post("/payments/:id/release", access.superAdmin, params(byId), async (c) => {
    await releaseByAdmin(c.env, c.req.valid("param").id, c.get("act"));
    return c.json({ released: true });
  });
