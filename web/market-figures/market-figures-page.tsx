import { type FigureTile, FigureTiles } from "../charts/figure-tiles.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import type { MarketFigures, MarketPeriod } from "../../contract/market-figures.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { formatMoney } from "../lib/format-money.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { CallTable } from "./call-table.tsx";
import { formatTrend } from "./format-market.ts";
import { MarketCharts } from "./market-charts.tsx";
import { FunnelTable, PeriodTable, ProviderTable, RegionTable, UnsoldTable } from "./market-tables.tsx";

export function meta() {
  return [{ title: "Figures | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

/** Shows the market's figures: new leads, sales and providers. */
export default function MarketFiguresPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "market"],
    queryFn: () => unwrap(adminApi().market.$get()),
    staleTime: 0,
    refetchInterval: 5 * 60_000,
  });
  return (
    <>
      <header className="spread">
        <h1>Figures</h1>
      </header>
      {data ? (
        <Market figures={data} />
      ) : error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : (
        <p className="empty">Loading figures...</p>
      )}
    </>
  );
}

type Tile = {
  name: string;
  /** Explains the figure on hover. */
  means: string;
  value: (period: MarketPeriod) => number;
  format: (value: number) => string;
};

const money = (value: number) => formatMoney(value.toFixed(2));

const TILES: readonly Tile[] = [
  {
    name: "Leads",
    means: "Requests received, including those kept off the market",
    value: ({ leads }) => leads,
    format: formatCount,
  },
  {
    name: "Sold",
    means: "Leads that were paid for, whenever they were received",
    value: ({ sold }) => sold,
    format: formatCount,
  },
  {
    name: "Revenue",
    means: "Amount paid for leads, before refunds",
    value: ({ revenue }) => Number(revenue),
    format: money,
  },
  {
    name: "Refunds",
    means: "Amount refunded, whenever the lead was sold",
    value: ({ refunds }) => Number(refunds),
    format: money,
  },
  {
    name: "Bad leads",
    means: "Reports of leads that turned out to be no good",
    value: ({ badLeads }) => badLeads,
    format: formatCount,
  },
  {
    name: "Suspicious",
    means: "Leads that looked suspicious and were held for an admin to decide",
    value: ({ suspicious }) => suspicious,
    format: formatCount,
  },
];

function sum(periods: readonly MarketPeriod[], value: Tile["value"]): number {
  return periods.reduce((total, period) => total + value(period), 0);
}

const MEANINGS = Object.fromEntries(TILES.map(({ name, means }) => [name, means]));

/** Shows today's figures and those of the last seven full days, compared with the seven days before. */
function TodayTiles({ days }: { days: readonly MarketPeriod[] }) {
  const today = days.at(-1)!;
  return (
    <FigureTiles
      meanings={MEANINGS}
      tiles={TILES.map(({ name, value, format }): FigureTile => {
        const week = sum(days.slice(-8, -1), value);
        const trend = formatTrend(week, sum(days.slice(-15, -8), value));
        return [name, format(value(today)), `${format(week)} in the 7 days before`, trend];
      })}
    />
  );
}

function Market({ figures }: { figures: MarketFigures }) {
  const [params] = useSearchParams();
  const { countedAt, days, weeks, funnel, regions, unsold, providers } = figures;
  const byWeek = params.get("by") === "week";
  return (
    <>
      <section className="part glance__part" aria-labelledby="glance-today">
        <h2 id="glance-today">Today</h2>
        <TodayTiles days={days} />
        <p className="muted text-sm figures__how">
          Since midnight in Sydney. The trend compares the last seven full days with the seven before them.{" "}
          {countedAt === null
            ? "Nothing counted yet. The first figures will show within a minute."
            : `Counted ${formatDateTime(countedAt)}. Updates every 15 minutes.`}
        </p>
      </section>
      <section className="part glance__part" aria-labelledby="glance-time">
        <div className="spread glance__head">
          <h2 id="glance-time">{byWeek ? "By week" : "By day"}</h2>
          <nav className="glance__by" aria-label="Figures by">
            {(["day", "week"] as const).map((unit) => (
              <Link
                key={unit}
                to={unit === "day" ? "/admin/figures" : "/admin/figures?by=week"}
                replace
                preventScrollReset
                aria-current={(unit === "week") === byWeek ? "true" : undefined}
              >
                {unit === "day" ? "Day" : "Week"}
              </Link>
            ))}
          </nav>
        </div>
        <MarketCharts periods={byWeek ? weeks : days.slice(-28)} unit={byWeek ? "week" : "day"} />
      </section>
      <FunnelTable funnel={funnel.slice(-28)} />
      <CallTable mondays={weeks.map(({ day }) => day)} />
      <RegionTable regions={regions} />
      <div className="halves">
        <UnsoldTable unsold={unsold} />
        <ProviderTable providers={providers} />
      </div>
      <PeriodTable periods={byWeek ? weeks : days.slice(-28)} unit={byWeek ? "week" : "day"} />
    </>
  );
}
