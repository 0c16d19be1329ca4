import { Hono } from "hono";
import * as z from "zod/mini";

import { checkDecisionSchema, LISTED_CHECK_STATES } from "../../../contract/checks.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { access } from "../access.ts";
import { expireLinkingPages } from "../providers/commands.ts";
import { decideCheck } from "./commands.ts";
import { findCheck, listChecks } from "./queries.ts";
import { checkById, sendCertificate } from "./routes.ts";

const listQuery = z.object({
  ...pageParams(50),
  state: z._default(z.enum(LISTED_CHECK_STATES, "Unknown state"), "waiting"),
});

/** Routes for super admins to look at checks and decide them. */
export const checkAdminRoutes = new Hono<AppEnv>()
  .get("/checks", access.superAdmin, query(listQuery), async (c) => {
    const { state, limit, cursor } = c.req.valid("query");
    const rows = await listChecks(c.env.db, { state, after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .get("/checks/:id/file", access.superAdmin, params(checkById), async (c) =>
    sendCertificate(c, await findCheck(c.env.db, c.req.valid("param").id)),
  )

  .post(
    "/checks/:id/decision",
    access.superAdmin,
    params(checkById),
    jsonBody(checkDecisionSchema),
    async (c) => {
      const businessId = await decideCheck(c.env, c.req.valid("param").id, c.req.valid("json"), c.get("act"));
      await expireLinkingPages(c.env.db, c.req.url, businessId);
      return c.json({ ok: true });
    },
  );
