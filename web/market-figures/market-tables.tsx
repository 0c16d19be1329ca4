import type { ReactNode } from "react";

import {
  FUNNEL_STEPS,
  type FunnelDay,
  type FunnelStep,
  type MarketFile,
  type MarketPeriod,
  type ProviderFigures,
  type RegionFigures,
  type UnsoldAge,
} from "../../contract/market-figures.ts";
import { regionName, type Region } from "../../contract/regions.ts";
import { formatRate } from "../charts/format-figures.ts";
import { formatCount } from "../lib/format-count.ts";
import { formatMoney } from "../lib/format-money.ts";
import { formatDay, formatPeriodLength } from "./format-market.ts";

/** Shows a table of figures with a download of the same data. The first column names the row. */
export function MarketTable({
  title,
  file,
  heads,
  meanings,
  rows,
  children,
}: {
  title: string;
  file: MarketFile;
  heads: readonly string[];
  /** Explains each column on hover, by its heading. */
  meanings?: Readonly<Record<string, string>>;
  rows: readonly (readonly [key: string, ...cells: ReactNode[]])[];
  /** A line below the title. */
  children?: ReactNode;
}) {
  return (
    <section className="part glance__part" aria-label={title}>
      <div className="spread glance__head">
        <h2>{title}</h2>
        <a className="link-button" href={`/api/super-admin/market/${file}.csv`} download>
          CSV
        </a>
      </div>
      {children}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways on a phone */}
      <section className="figures__table glance__table" aria-label={`${title}, in numbers`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" title={meanings?.[head]}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([key, first, ...cells]) => (
              <tr key={key}>
                <th scope="row">{first}</th>
                {cells.map((cell, i) => (
                  <td key={heads[i + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** Shows a bar relative to the longest one. The figure is next to it. */
function Bar({ value, longest }: { value: number; longest: number }) {
  return (
    <svg className="glance__bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect width={longest === 0 ? 0 : (100 * value) / longest} height="10" />
    </svg>
  );
}

const STEP_NAMES: Readonly<Record<FunnelStep, string>> = {
  pages: "Pages opened",
  forms: "Forms started",
  sent: "Requests sent",
  sold: "Sold or given",
  called: "Called",
  booked: "Job booked",
};

/** Shows each step from the first page view to the job: its count, and its share of the previous step. */
export function FunnelTable({ funnel }: { funnel: readonly FunnelDay[] }) {
  const counts = FUNNEL_STEPS.map((step) => funnel.reduce((sum, day) => sum + day[step], 0));
  const longest = Math.max(...counts);
  return (
    <MarketTable
      title="From page to booking"
      file="funnel"
      heads={["Step", "Count", "Share", "At a glance"]}
      rows={FUNNEL_STEPS.map((step, i) => {
        const before = counts[i - 1] ?? 0;
        return [
          step,
          STEP_NAMES[step],
          formatCount(counts[i]!),
          before === 0 ? "–" : formatRate(counts[i]! / before),
          <Bar key="bar" value={counts[i]!} longest={longest} />,
        ];
      })}
    >
      <p className="muted text-sm figures__how">
        The last 28 days. Each share is of the previous step. We count without cookies and without identifying
        anyone. One visitor may open many pages. The last four rows follow requests from this period, so
        recent requests may still convert.
      </p>
    </MarketTable>
  );
}

/** Shows the number of providers by state. */
export function ProviderTable({ providers }: { providers: ProviderFigures | null }) {
  const rows: [string, string, number][] = providers
    ? [
        ["total", "Active accounts", providers.total],
        ["fresh", "New in the last 30 days", providers.fresh],
        ["active", "Seen in the last 30 days", providers.active],
        ["silent", "Not seen for 30 days", providers.silent],
      ]
    : [];
  return (
    <MarketTable
      title="Providers"
      file="providers"
      heads={["Providers", "Count", "At a glance"]}
      rows={rows.map(([key, name, value]) => [
        key,
        name,
        formatCount(value),
        <Bar key="bar" value={value} longest={providers!.total} />,
      ])}
    >
      {providers === null && <p>Not counted yet.</p>}
    </MarketTable>
  );
}

/** Shows the figures per day or per week, newest first. */
export function PeriodTable({ periods, unit }: { periods: readonly MarketPeriod[]; unit: "day" | "week" }) {
  return (
    <MarketTable
      title={unit === "day" ? "The last 28 days" : "The last twelve weeks"}
      file={unit === "day" ? "days" : "weeks"}
      heads={[
        unit === "day" ? "Day" : "Week from",
        "Leads",
        "Suspicious",
        "Sold",
        "Given",
        "Revenue",
        "Refunds",
        "Bad leads",
      ]}
      rows={periods
        .toReversed()
        .map((period) => [
          period.day,
          formatDay(period.day, true),
          formatCount(period.leads),
          formatCount(period.suspicious),
          formatCount(period.sold),
          formatCount(period.given),
          formatMoney(period.revenue),
          formatMoney(period.refunds),
          formatCount(period.badLeads),
        ])}
    />
  );
}

/** Shows regions with market activity, the busiest first. */
export function RegionTable({ regions }: { regions: readonly RegionFigures[] }) {
  const traded = regions.filter(({ listed }) => listed > 0).toSorted((a, b) => b.listed - a.listed);
  return (
    <MarketTable
      title="By region, the last 28 days"
      file="regions"
      heads={["Region", "Listed", "Taken", "Not taken", "Sell-through", "Median time to sale"]}
      meanings={{
        Listed: "Requests from these 28 days that reached the market",
        Taken: "Of those, sold, claimed or given",
        "Not taken": "Listed but not taken: still for sale, expired or withdrawn",
        "Sell-through": "Taken as a share of listed",
        "Median time to sale": "Half of the leads sold in this period sold faster than this",
      }}
      rows={traded.map(({ region, listed, taken, sellThrough, medianSaleMs }) => [
        region,
        regionName(region as Region),
        formatCount(listed),
        formatCount(taken),
        formatCount(listed - taken),
        formatRate(sellThrough),
        medianSaleMs === null ? "–" : formatPeriodLength(medianSaleMs),
      ])}
    >
      {traded.length === 0 && <p>Nothing was on the market in this period.</p>}
    </MarketTable>
  );
}

const formatDays = (hours: number) => (hours === 24 ? "1 day" : `${hours / 24} days`);

function nameOfAge(from: number | null, to: number | null): string {
  if (to === null) return `Older than ${formatDays(from!)}`;
  return from === null ? `Up to ${formatDays(to)}` : `${from / 24} to ${formatDays(to)}`;
}

/** Shows unsold leads by age. */
export function UnsoldTable({ unsold }: { unsold: readonly UnsoldAge[] }) {
  const longest = Math.max(...unsold.map(({ leads }) => leads));
  return (
    <MarketTable
      title="On the market now, by age"
      file="unsold"
      heads={["Age", "Leads", "At a glance"]}
      rows={[
        ...unsold.map(
          ({ upToHours, leads }, i) =>
            [
              String(upToHours),
              nameOfAge(unsold[i - 1]?.upToHours ?? null, upToHours),
              formatCount(leads),
              <Bar key="bar" value={leads} longest={longest} />,
            ] as const,
        ),
        ["total", "All", formatCount(unsold.reduce((sum, { leads }) => sum + leads, 0)), ""] as const,
      ]}
    />
  );
}
