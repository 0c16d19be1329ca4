import { useId } from "react";

import type { MonthFigures } from "../../contract/figures.ts";
import { formatMonth, formatRate, roundTop } from "./format-figures.ts";

/* Drawn on a grid of its own, stretched to its place. */
const WIDTH = 560;
const HEIGHT = 210;
const LEFT = 52;
const BOTTOM = 26;
const TOP = 10;
const LINES = [0, 0.25, 0.5, 0.75, 1];

export type Series = {
  name: string;
  look: "first" | "second";
  /** Null where there is nothing to show. */
  value: (month: MonthFigures) => number | null;
};

/** Bars by month. The table below the charts says the same in words, so the drawing is only a picture. */
export function BarChart({
  title,
  months,
  series,
  format,
  max,
}: {
  title: string;
  months: readonly MonthFigures[];
  series: readonly Series[];
  format: (value: number) => string;
  /** The end of the axis; from the highest bar when left out. */
  max?: number;
}) {
  const id = useId();
  const values = months.flatMap((month) => series.map(({ value }) => value(month) ?? 0));
  const top = max ?? roundTop(Math.max(...values));
  const yOf = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const slot = (WIDTH - LEFT) / months.length;
  const bar = Math.min(18, (slot - 8) / series.length);
  const summary = summaryOf(title, months, series, format);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        {title}
        {series.length > 1 && (
          <span className="chart__key">
            {series.map(({ name, look }) => (
              <span key={name} data-look={look}>
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded */}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
        {LINES.map((line) => (
          <g key={line}>
            <line className="chart__line" x1={LEFT} x2={WIDTH} y1={yOf(line * top)} y2={yOf(line * top)} />
            {(line === 0 || line === 0.5 || line === 1) && (
              <text className="chart__scale" x={LEFT - 8} y={yOf(line * top) + 4} textAnchor="end">
                {max === 1 ? formatRate(line) : format(line * top)}
              </text>
            )}
          </g>
        ))}
        {values.every((value) => value === 0) && (
          <text className="chart__none" x={(LEFT + WIDTH) / 2} y={yOf(top / 2) - 8} textAnchor="middle">
            Nothing to show yet
          </text>
        )}
        {months.map((month, i) => {
          const middle = LEFT + slot * (i + 0.5);
          return (
            <g key={month.month}>
              {series.map(({ name, look, value }, s) => {
                const shown = value(month);
                if (!shown) return null;
                const x = middle + (s - series.length / 2) * bar + 1;
                return (
                  <rect
                    key={name}
                    className="chart__bar"
                    data-look={look}
                    x={x}
                    y={yOf(shown)}
                    width={bar - 2}
                    height={yOf(0) - yOf(shown)}
                    rx="2"
                  >
                    <title>{`${formatMonth(month.month, true)}, ${name}: ${format(shown)}`}</title>
                  </rect>
                );
              })}
              <text className="chart__month" x={middle} y={HEIGHT - 8} textAnchor="middle">
                {formatMonth(month.month)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** The chart in one sentence: its latest month. */
function summaryOf(
  title: string,
  months: readonly MonthFigures[],
  series: readonly Series[],
  format: (value: number) => string,
): string {
  const last = months.at(-1);
  if (!last) return title;
  const values = series.map(({ name, value }) => {
    const shown = value(last);
    return `${name} ${shown === null ? "none" : format(shown)}`;
  });
  return `${title} by month. ${formatMonth(last.month, true)}: ${values.join(", ")}. All months are in the table below.`;
}
