import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { CALL_STEPS, type CallStep, type CallWeek } from "../../contract/market-figures.ts";
import { regionName, type Region } from "../../contract/regions.ts";
import { addDays } from "../../contract/sydney-time.ts";
import { FilterSelect } from "../admin/filters.tsx";
import { LoadFailure } from "../leads/load-failure.tsx";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { useUrlState } from "../lib/use-url-state.ts";
import { CALL_STEP_NAMES } from "../admin/call-steps.ts";
import { REGION_OPTIONS } from "../admin/region-select.tsx";
import { formatDay } from "./format-market.ts";
import { MarketTable } from "./market-tables.tsx";

const MEANINGS: Readonly<Record<string, string>> = {
  [CALL_STEP_NAMES.requests]: "Requests received, including those kept off the market",
  [CALL_STEP_NAMES.sold]: "Of those, sold, claimed or given",
  [CALL_STEP_NAMES.in_time]: "The provider called or texted before the call clock ran out",
  [CALL_STEP_NAMES.late]: "The provider called or texted after the call clock ran out",
  [CALL_STEP_NAMES.rescued]: "The provider did not call, and the request went to another provider",
  [CALL_STEP_NAMES.booked]: "A job was booked, by the first provider or by the one after a rescue",
};

/** The value of the week filter that adds up all weeks for each region. */
const ALL_WEEKS = "all";

type Row = { key: string; label: string; from: string; to: string; region: string } & Record<
  CallStep,
  number
>;

function sumOf(weeks: readonly CallWeek[], place: Omit<Row, CallStep>): Row {
  const sums = Object.fromEntries(
    CALL_STEPS.map((step) => [step, weeks.reduce((sum, week) => sum + week[step], 0)]),
  ) as Record<CallStep, number>;
  return { ...place, ...sums };
}

const lastDay = (monday: string) => addDays(monday, 6);

/** Returns a row for each week, newest first, or for each region if a week is chosen. */
function rowsOf(
  counted: readonly CallWeek[],
  mondays: readonly string[],
  { region, week }: { region: string; week: string },
): Row[] {
  const own = region ? counted.filter((row) => row.region === region) : counted;
  if (!week)
    return mondays.toReversed().map((monday) =>
      sumOf(
        own.filter((row) => row.week === monday),
        { key: monday, label: formatDay(monday, true), from: monday, to: lastDay(monday), region },
      ),
    );
  const chosen = week === ALL_WEEKS ? own : own.filter((row) => row.week === week);
  const [from, to] = week === ALL_WEEKS ? [mondays[0]!, lastDay(mondays.at(-1)!)] : [week, lastDay(week)];
  return [...Map.groupBy(chosen, (row) => row.region)]
    .map(([slug, weeks]) =>
      sumOf(weeks, { key: slug, label: regionName(slug as Region), from, to, region: slug }),
    )
    .toSorted((a, b) => b.requests - a.requests);
}

/** Shows a count as a link to the requests behind it. */
function StepCount({ row, step }: { row: Row; step: CallStep }) {
  const count = formatCount(row[step]);
  if (row[step] === 0) return count;
  const { from, to, region } = row;
  const query = new URLSearchParams({ step, from, to, ...(region && { region }) });
  return (
    <Link to={`/admin/leads?${query}`} aria-label={`${count}: ${CALL_STEP_NAMES[step]}, ${row.label}`}>
      {count}
    </Link>
  );
}

/**
 * Shows the requests of the last twelve weeks from their arrival to the job, by week or by region. The choice is in the
 * URL.
 * @param mondays the weeks, oldest first
 */
export function CallTable({ mondays }: { mondays: readonly string[] }) {
  const { params, go } = useUrlState();
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "market", "calls"],
    queryFn: () => unwrap(adminApi().market.calls.$get()),
    staleTime: 60_000,
  });
  const region = params.get("region") ?? "";
  const week = params.get("week") ?? "";
  const weekOptions = [
    { value: ALL_WEEKS, label: "All weeks" },
    ...mondays
      .toReversed()
      .map((monday) => ({ value: monday, label: `Week from ${formatDay(monday, true)}` })),
  ];
  const rows = data ? rowsOf(data, mondays, { region, week }) : [];
  return (
    <MarketTable
      title="From request to job"
      file="calls"
      heads={[week ? "Region" : "Week from", ...CALL_STEPS.map((step) => CALL_STEP_NAMES[step])]}
      meanings={MEANINGS}
      rows={rows.map((row) => [
        row.key,
        row.label,
        ...CALL_STEPS.map((step) => <StepCount key={step} row={row} step={step} />),
      ])}
    >
      <p className="muted text-sm figures__how">
        The requests of each week, and how far they have come. Each number opens its requests. A request can
        be both called and booked.
      </p>
      <div className="cluster admin__filters">
        <FilterSelect
          label="Weeks"
          all="Week by week"
          options={weekOptions}
          value={week}
          onChange={(next) => go({ week: next }, true)}
        />
        <FilterSelect
          label="Region"
          all="Every region"
          options={REGION_OPTIONS}
          value={region}
          onChange={(next) => go({ region: next }, true)}
        />
      </div>
      {error && !data && <LoadFailure error={error} retry={refetch} />}
      {data && rows.length === 0 && <p>No requests in this period.</p>}
    </MarketTable>
  );
}
