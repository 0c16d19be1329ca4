import { Hono } from "hono";

import { FIGURE_MONTHS, type MonthFigures, WIN_RATE_AGE_MS } from "../../../contract/figures.ts";
import * as z from "zod/mini";

import { callListSchema } from "../../../contract/standing.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { query } from "../../platform/http/body.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { listCalls, readStanding } from "../standing/queries.ts";
import { addUp, monthsUntil, sumByMonth, toFigures } from "./queries.ts";

/** Routes for a business's spending, earnings and standing, for its owner only. */
export const figureRoutes = new Hono<AppEnv>()
  .get("/", access.owner, async (c) => {
    const now = Date.now();
    const months = monthsUntil(now, FIGURE_MONTHS);
    const starts = months.map(({ start }) => start);
    const sums = await sumByMonth(c.env.db, c.get("scope"), starts, now - WIN_RATE_AGE_MS);
    return c.json({
      months: months.map(({ month }, i): MonthFigures => ({ month, ...toFigures(sums.get(i)) })),
      total: toFigures(addUp([...sums.values()])),
    });
  })

  .get("/standing", access.owner, async (c) => {
    const { db, settings } = c.env;
    return c.json(await readStanding(db, c.get("scope").businessId, settings.slowCallers, Date.now()));
  })

  .get("/calls", access.owner, query(z.object({ ...pageParams(50), ...callListSchema.shape })), async (c) => {
    const { cursor, limit, ...filter } = c.req.valid("query");
    const page = { ...filter, limit, after: readAfter(cursor), now: Date.now() };
    const rows = await listCalls(c.env.db, c.get("scope").businessId, page);
    linkNext(
      c,
      rows.map(({ id, purchasedAt }) => ({ id, createdAt: purchasedAt })),
      limit,
    );
    return c.json(rows);
  });
