import { useId } from "react";
import { Link, useSearchParams } from "react-router";

import {
  CALL_RESULTS,
  type CallListItem,
  formatCallTime,
  type ProviderStanding,
  type Standing,
  type StandingPeriod,
  STANDING_PERIODS,
} from "../../contract/standing.ts";
import { formatRate } from "../charts/format-figures.ts";
import { formatCount } from "../lib/format-count.ts";
import { LIST_LABELS, listHref, type OpenList, parseOpenList, PERIOD_LABELS } from "./call-labels.ts";
import { CallRows, type FetchCalls } from "./call-rows.tsx";

/** Shows a count as a link to its list. A count of zero has no list. */
function Figure({ count, text, ...list }: OpenList & { count: number; text?: string }) {
  const shown = text ?? formatCount(count);
  if (count === 0) return shown;
  return (
    <Link
      to={listHref(list)}
      aria-label={`${shown}: ${LIST_LABELS[list.show]}, ${PERIOD_LABELS[list.period]}`}
    >
      {shown}
    </Link>
  );
}

function inTimeText({ in_time: inTime, share }: Standing): string {
  return share === null ? formatCount(inTime) : `${formatCount(inTime)} (${formatRate(share)})`;
}

/** Shows how many bought leads were called in time, each number with its list. The open list is in the URL. */
export function StandingFigures({
  standing,
  businessId,
  fetchCalls,
  hrefOf,
  caption,
}: {
  standing: ProviderStanding;
  /** The provider's id; null for the user's own business. */
  businessId: string | null;
  fetchCalls: FetchCalls;
  /** Returns the page of a lead in the list. */
  hrefOf: (call: CallListItem) => string;
  caption: string;
}) {
  const id = useId();
  const [params] = useSearchParams();
  const open = parseOpenList(params);
  const of = (period: StandingPeriod) => (period === "recent" ? standing.recent : standing.total);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways with large text */}
      <section className="figures__table standing__table" aria-labelledby={id} tabIndex={0}>
        <table>
          <caption id={id}>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Leads</th>
              {STANDING_PERIODS.map((period) => (
                <th key={period} scope="col">
                  {PERIOD_LABELS[period]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{LIST_LABELS.all}</th>
              {STANDING_PERIODS.map((period) => (
                <td key={period}>
                  <Figure show="all" period={period} count={of(period).bought} />
                </td>
              ))}
            </tr>
            {CALL_RESULTS.map((result) => (
              <tr key={result}>
                <th scope="row">{LIST_LABELS[result]}</th>
                {STANDING_PERIODS.map((period) => (
                  <td key={period}>
                    <Figure
                      show={result}
                      period={period}
                      count={of(period)[result]}
                      {...(result === "in_time" && { text: inTimeText(of(period)) })}
                    />
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">Median time to call</th>
              {STANDING_PERIODS.map((period) => {
                const { medianMs, in_time: inTime, late } = of(period);
                return (
                  <td key={period}>
                    {medianMs === null ? (
                      "–"
                    ) : (
                      <Figure
                        show="called"
                        period={period}
                        count={inTime + late}
                        text={formatCallTime(medianMs)}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          </tbody>
        </table>
      </section>
      {open && (
        <CallRows
          key={listHref(open)}
          open={open}
          businessId={businessId}
          fetchCalls={fetchCalls}
          hrefOf={hrefOf}
        />
      )}
    </>
  );
}
