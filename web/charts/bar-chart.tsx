import { useId } from "react";

import { formatRate, roundUpAxis } from "./format-figures.ts";

/* The chart has its own coordinates and scales to its container. */
const WIDTH = 560;
const HEIGHT = 210;
/** Width per character of an axis label on a phone. */
const CHARACTER_WIDTH = 9.5;
const GAP = 8;
const MIN_LEFT = 52;
const BOTTOM = 26;
const TOP = 10;
/** Minimum distance of a label from the right edge, so that it is not cut off. */
const EDGE = 26;
const GRID_LINES = [0, 0.25, 0.5, 0.75, 1];
const LABELLED: readonly number[] = [0, 0.5, 1];

export type Series<Period> = {
  name: string;
  pattern: "first" | "second";
  /** Returns the period's value; null if it has none. */
  value: (period: Period) => number | null;
};

/** Periods, oldest first. */
export type Periods<Period> = {
  /** Such as "month". */
  unit: string;
  periods: readonly Period[];
  /** Returns a period's name. The short form is the label below its bars. */
  nameOf: (period: Period, isLong: boolean) => string;
  /** Shows every nth label, counted from the latest period; every label when omitted. */
  nameEvery?: number;
};

/** Shows bars over time. The table below the charts has the same data, so the chart is an image for screen readers. */
export function BarChart<Period>({
  title,
  chartPeriods,
  series,
  format,
  max,
}: {
  title: string;
  chartPeriods: Periods<Period>;
  series: readonly Series<Period>[];
  format: (value: number) => string;
  /** Maximum of the axis; by default a round number above the highest bar. */
  max?: number;
}) {
  const id = useId();
  const { periods, nameOf, nameEvery = 1 } = chartPeriods;
  const values = periods.flatMap((period) => series.map(({ value }) => value(period) ?? 0));
  const top = max ?? roundUpAxis(Math.max(...values));
  const yOf = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const scaleOf = (line: number) => (max === 1 ? formatRate(line) : format(line * top));
  const characterCount = Math.max(...LABELLED.map((line) => scaleOf(line).length));
  const left = Math.max(MIN_LEFT, GAP + characterCount * CHARACTER_WIDTH);
  const slot = (WIDTH - left) / periods.length;
  const bar = Math.min(18, (slot - Math.min(8, slot / 4)) / series.length);
  const summary = summaryOf(title, chartPeriods, series, format);
  if (values.every((value) => value === 0))
    return (
      <figure className="box chart" aria-labelledby={id}>
        <figcaption id={id}>{title}</figcaption>
        <p className="muted text-sm">Nothing to show yet</p>
      </figure>
    );
  return (
    <figure className="box chart" aria-labelledby={id}>
      <figcaption id={id}>
        {title}
        {series.length > 1 && (
          <span className="chart__key">
            {series.map(({ name, pattern }) => (
              <span key={name} data-look={pattern}>
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing, not a file */}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
        {GRID_LINES.map((line) => (
          <g key={line}>
            <line className="chart__line" x1={left} x2={WIDTH} y1={yOf(line * top)} y2={yOf(line * top)} />
            {LABELLED.includes(line) && (
              <text className="chart__scale" x={left - GAP} y={yOf(line * top) + 4} textAnchor="end">
                {scaleOf(line)}
              </text>
            )}
          </g>
        ))}
        {periods.map((period, i) => {
          const middle = left + slot * (i + 0.5);
          const isNamed = (periods.length - 1 - i) % nameEvery === 0;
          return (
            <g key={nameOf(period, true)}>
              {series.map(({ name, pattern, value }, s) => {
                const shown = value(period);
                if (!shown) return null;
                const x = middle + (s - series.length / 2) * bar + 1;
                return (
                  <rect
                    key={name}
                    className="chart__bar"
                    data-look={pattern}
                    x={x}
                    y={yOf(shown)}
                    width={Math.max(bar - 2, 2)}
                    height={yOf(0) - yOf(shown)}
                    rx="2"
                  >
                    <title>{`${nameOf(period, true)}, ${name}: ${format(shown)}`}</title>
                  </rect>
                );
              })}
              {isNamed && (
                <text
                  className={nameEvery === 1 ? "chart__month" : "chart__day"}
                  x={Math.min(middle, WIDTH - EDGE)}
                  y={HEIGHT - 8}
                  textAnchor="middle"
                >
                  {nameOf(period, false)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** Returns one sentence about the chart's latest period. */
function summaryOf<Period>(
  title: string,
  { periods, unit, nameOf }: Periods<Period>,
  series: readonly Series<Period>[],
  format: (value: number) => string,
): string {
  const last = periods.at(-1);
  if (!last) return title;
  const values = series.map(({ name, value }) => {
    const shown = value(last);
    return `${name} ${shown === null ? "none" : format(shown)}`;
  });
  return `${title} by ${unit}. ${nameOf(last, true)}: ${values.join(", ")}. See every ${unit} in the table below.`;
}
