/** Formats a share from 0 to 1 as "67%", and null as a dash. */
export function formatRate(rate: number | null): string {
  return rate === null ? "–" : `${Math.round(rate * 100)}%`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats "2026-11" as "Nov", or as "Nov 2026". */
export function formatMonth(month: string, withYear = false): string {
  const [year, index] = month.split("-");
  const name = MONTHS[Number(index) - 1] ?? month;
  return withYear ? `${name} ${year}` : name;
}

/**
 * Returns a round number at or above the highest bar, so that the quarter marks are round numbers too.
 * @param highest the highest value; 0 returns 4
 */
export function roundUpAxis(highest: number): number {
  if (highest <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}
