import { Hono } from "hono";

import { HOUR_MS } from "../../../contract/durations.ts";
import {
  CALL_STEPS,
  type CallWeek,
  FUNNEL_STEPS,
  MARKET_FILE_WEEKS,
  MARKET_FILES,
  MARKET_WEEKS,
  type MarketFigures,
  type MarketFile,
  type MarketPeriod,
} from "../../../contract/market-figures.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { BOM, csvLine } from "../../platform/csv.ts";
import { DomainError } from "../../platform/errors.ts";
import { countCallWeeks, marketFigures } from "./queries.ts";
import { lastMondays } from "./rules.ts";

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

type Cell = string | number | null;

const PERIOD = ["leads", "suspicious", "sold", "given", "revenue", "refunds", "badLeads"] as const;

function periods(first: string, rows: readonly MarketPeriod[]): Cell[][] {
  const headers = PERIOD.map((name) => (name === "badLeads" ? "bad_leads" : name));
  return [[first, ...headers], ...rows.map((row) => [row.day, ...PERIOD.map((name) => row[name])])];
}

/** Formats a duration as hours with one decimal place. */
const hoursOf = (ms: number | null) => (ms === null ? null : (ms / HOUR_MS).toFixed(1));

const TABLES: Readonly<Record<Exclude<MarketFile, "calls">, (figures: MarketFigures) => Cell[][]>> = {
  days: ({ days }) => periods("day", days),
  weeks: ({ weeks }) => periods("week_from", weeks),
  funnel: ({ funnel }) => [
    ["day", ...FUNNEL_STEPS],
    ...funnel.map((row) => [row.day, ...FUNNEL_STEPS.map((step) => row[step])]),
  ],
  regions: ({ regions }) => [
    ["region", "listed", "taken", "sell_through", "median_hours_to_sale", "open"],
    ...regions.map((row) => [
      row.region,
      row.listed,
      row.taken,
      row.sellThrough === null ? null : row.sellThrough.toFixed(4),
      hoursOf(row.medianSaleMs),
      row.open,
    ]),
  ],
  unsold: ({ unsold }) => [
    ["up_to_hours_old", "leads"],
    ...unsold.map(({ upToHours, leads }) => [upToHours ?? "older", leads]),
  ],
  providers: ({ providers }) => [
    ["providers", "new", "active", "silent"],
    ...(providers ? [[providers.total, providers.fresh, providers.active, providers.silent]] : []),
  ],
};

/** Returns one of the tables as CSV (RFC 4180). */
function marketCsv(file: keyof typeof TABLES, figures: MarketFigures): string {
  return BOM + TABLES[file](figures).map(csvLine).join("");
}

/** Returns the requests of each week and region, by step, as CSV. */
function callsCsv(weeks: readonly CallWeek[]): string {
  const rows: Cell[][] = [
    ["week_from", "region", "requests", "sold", "called_in_time", "called_late", "rescued", "booked"],
    ...weeks.map((row) => [row.week, row.region, ...CALL_STEPS.map((step) => row[step])]),
  ];
  return BOM + rows.map(csvLine).join("");
}
