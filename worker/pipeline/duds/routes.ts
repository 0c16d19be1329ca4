import { Hono } from "hono";
import * as z from "zod/mini";

import { dudReportSchema } from "../../../contract/duds.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/app.ts";
import { reportDud } from "./commands.ts";
import { readDesk } from "./queries.ts";

const byPurchase = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });

/** Routes for dud reports. */
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
  );
