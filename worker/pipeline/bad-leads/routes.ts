import { Hono } from "hono";
import * as z from "zod/mini";

import { type BadLeadOverview, badLeadReportSchema } from "../../../contract/bad-leads.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { listReports, reportBadLead } from "./store.ts";
import { readCases } from "../guarantee/queries.ts";

const byPurchase = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });

/** Routes for bad-lead reports. */
export const badLeadRoutes = new Hono<AppEnv>()
  .get("/bad-leads", access.business, async (c) => {
    const { db } = c.env;
    const scope = c.get("scope");
    const [reports, guarantee] = await Promise.all([listReports(db, scope), readCases(db, scope)]);
    return c.json({ reports, ...guarantee } satisfies BadLeadOverview);
  })

  .post(
    "/lead-purchases/:id/bad-lead",
    access.owner,
    notImpersonating,
    params(byPurchase),
    jsonBody(badLeadReportSchema),
    async (c) => {
      const { id } = c.req.valid("param");
      const form = c.req.valid("json");
      return c.json(await reportBadLead(c.env.db, c.get("scope"), id, form, c.get("act")), 201);
    },
  );
