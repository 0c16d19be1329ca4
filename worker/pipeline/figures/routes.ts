import { Hono } from "hono";

import { FIGURE_MONTHS, type MonthFigures, WIN_RATE_AGE_MS } from "../../../contract/figures.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/app.ts";
import { sumByMonth } from "./queries.ts";
import { addUp, monthsUntil, toFigures } from "./sums.ts";

/** Routes for a business's spending and earnings, for its owner only. */
export const figureRoutes = new Hono<AppEnv>().get("/", access.owner, async (c) => {
  const now = Date.now();
  const months = monthsUntil(now, FIGURE_MONTHS);
  const starts = months.map(({ start }) => start);
  const sums = await sumByMonth(c.env.db, c.get("scope"), starts, now - WIN_RATE_AGE_MS);
  return c.json({
    months: months.map(({ month }, i): MonthFigures => ({ month, ...toFigures(sums.get(i)) })),
    total: toFigures(addUp([...sums.values()])),
  });
});
