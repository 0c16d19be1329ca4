import { Hono } from "hono";

import { MARKET_FILE_WEEKS, MARKET_FILES, MARKET_WEEKS } from "../../../contract/market-figures.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import { DomainError } from "../../platform/errors.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/app.ts";
import { callsCsv, marketCsv } from "./csv.ts";
import { countCallWeeks } from "./queries.ts";
import { lastMondays } from "./rules.ts";
import { marketFigures } from "./views.ts";

/** Routes for super admins to read the market's figures, as JSON and as CSV files. */
export const marketFigureAdminRoutes = new Hono<AppEnv>()
  .get("/market", access.superAdmin, async (c) => c.json(await marketFigures(c.env.db, Date.now())))

  .get("/market/calls", access.superAdmin, async (c) => {
    const now = Date.now();
    return c.json(await countCallWeeks(c.env.db, lastMondays(MARKET_WEEKS, now), now));
  })

  .get("/market/:file", access.superAdmin, async (c) => {
    const file = MARKET_FILES.find((known) => `${known}.csv` === c.req.param("file"));
    if (!file) throw new DomainError("not_found", "There is no such file");
    const now = Date.now();
    const db = c.env.db;
    const csv =
      file === "calls"
        ? callsCsv(await countCallWeeks(db, lastMondays(MARKET_FILE_WEEKS, now), now))
        : marketCsv(file, await marketFigures(db, now, MARKET_FILE_WEEKS));
    return c.body(csv, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="market-${file}-${sydneyDay(now)}.csv"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    });
  });
