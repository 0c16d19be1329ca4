import { Hono } from "hono";
import * as z from "zod/mini";

import { PAYMENT_STATES } from "../../contract/payments.ts";
import { database } from "../db/client.ts";
import { access } from "../middleware/access.ts";
import { query } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { linkNext, pageParams, readAfter } from "../middleware/paging.ts";
import { listLedger } from "./queries.ts";

const listQuery = z.object({
  ...pageParams(50),
  state: z.optional(z.enum(PAYMENT_STATES, "Unknown state")),
  q: z._default(z.string().check(z.trim(), z.maxLength(120)), ""),
});

/** The payments of all businesses. */
export const paymentAdminRoutes = new Hono<AppEnv>().get(
  "/payments",
  access.superAdmin,
  query(listQuery),
  async (c) => {
    const { state, q, limit, cursor } = c.req.valid("query");
    const rows = await listLedger(database(c.env.DB), { state, q, after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  },
);
