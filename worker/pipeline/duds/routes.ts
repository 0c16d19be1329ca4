import { Hono } from "hono";
import * as z from "zod/mini";

import { dudReportSchema } from "../../../contract/duds.ts";
import { leadIdSchema } from "../../../contract/leads.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/app.ts";
import { toPurchasedLead } from "../../selling/purchases/views.ts";
import { reportDud } from "./commands.ts";
import { claimWithCredit } from "./credit-commands.ts";
import { readDesk } from "./queries.ts";

const byPurchase = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });
const byLead = z.object({ id: leadIdSchema });

/** Routes for dud reports, and for the free claims from granted reports. */
export const dudRoutes = new Hono<AppEnv>()
  .get("/duds", access.business, async (c) => c.json(await readDesk(c.env.db, c.get("scope"))))

  .post(
    "/lead-purchases/:id/dud",
    access.owner,
    notImpersonating,
    params(byPurchase),
    jsonBody(dudReportSchema),
    async (c) => {
      const { id } = c.req.valid("param");
      const form = c.req.valid("json");
      return c.json(await reportDud(c.env.db, c.get("scope"), id, form, c.get("act")), 201);
    },
  )

  .post("/leads/:id/claim-with-credit", access.owner, notImpersonating, params(byLead), async (c) => {
    const { user } = c.get("session");
    if (c.env.settings.requireVerified && !user.isVerified) throw new DomainError("not_verified");
    const { id } = c.req.valid("param");
    const { purchase, lead } = await claimWithCredit(c.env, c.get("scope"), id, Date.now(), c.executionCtx);
    return c.json(toPurchasedLead(purchase, lead), 201);
  });
