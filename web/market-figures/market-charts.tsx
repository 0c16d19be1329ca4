import type { MarketPeriod } from "../../contract/market-figures.ts";
import { BarChart, type Periods } from "../charts/bar-chart.tsx";
import { formatCount } from "../lib/format-count.ts";
import { formatDollars } from "../lib/format-money.ts";
import { formatDay } from "./format-market.ts";

/** Shows charts of the market over time. The table below them has the figures. */
export function MarketCharts({ periods, unit }: { periods: readonly MarketPeriod[]; unit: "day" | "week" }) {
  const chartPeriods: Periods<MarketPeriod> = {
    unit,
    periods,
    nameOf: ({ day }, isLong) => formatDay(day, isLong),
    nameEvery: unit === "day" ? 7 : 3,
  };
  return (
    <div className="stack gap-4 figures__charts">
      <BarChart
        title="Leads and sales"
        chartPeriods={chartPeriods}
        series={[
          { name: "Leads", pattern: "first", value: ({ leads }) => leads },
          { name: "Sold", pattern: "second", value: ({ sold }) => sold },
        ]}
        format={formatCount}
      />
      <BarChart
        title="Revenue and refunds"
        chartPeriods={chartPeriods}
        series={[
          { name: "Refunds", pattern: "first", value: ({ refunds }) => Number(refunds) },
          { name: "Revenue", pattern: "second", value: ({ revenue }) => Number(revenue) },
        ]}
        format={formatDollars}
      />
      <BarChart
        title="Suspicious requests and bad leads"
        chartPeriods={chartPeriods}
        series={[
          { name: "Suspicious", pattern: "first", value: ({ suspicious }) => suspicious },
          { name: "Bad leads", pattern: "second", value: ({ badLeads }) => badLeads },
        ]}
        format={formatCount}
      />
    </div>
  );
}
