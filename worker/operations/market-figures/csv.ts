import { HOUR_MS } from "../../../contract/durations.ts";
import {
  CALL_STEPS,
  type CallWeek,
  FUNNEL_STEPS,
  type MarketFigures,
  type MarketFile,
  type MarketPeriod,
} from "../../../contract/market-figures.ts";
import { BOM, csvLine } from "../../platform/csv.ts";

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
export function marketCsv(file: keyof typeof TABLES, figures: MarketFigures): string {
  return BOM + TABLES[file](figures).map(csvLine).join("");
}

/** Returns the requests of each week and region, by step, as CSV. */
export function callsCsv(weeks: readonly CallWeek[]): string {
  const rows: Cell[][] = [
    ["week_from", "region", "requests", "sold", "called_in_time", "called_late", "rescued", "booked"],
    ...weeks.map((row) => [row.week, row.region, ...CALL_STEPS.map((step) => row[step])]),
  ];
  return BOM + rows.map(csvLine).join("");
}
