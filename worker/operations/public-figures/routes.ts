import { Hono } from "hono";
import * as z from "zod/mini";

import { SERVICE_IDS } from "../../../contract/catalogue.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { query } from "../../platform/http/body.ts";
import { readJobPrices, readPublicFigures } from "./store.ts";

/** Query: the prices of one council or of one service. */
const priceQuery = z.object({
  council: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
  service: z.optional(z.enum(SERVICE_IDS, "Unknown service")),
});

export const publicFigureRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, async (c) => c.json(await readPublicFigures(c.env.db, Date.now())))

  .get("/prices", access.anyone, query(priceQuery), async (c) =>
    c.json(await readJobPrices(c.env.db, c.req.valid("query"), Date.now())),
  );
