/** Medians, percentiles, and tables to print them. */

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

/** Formats a figure with three significant digits. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-AU");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export type Row = Readonly<Record<string, string>>;

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Prints rows as a Markdown table for the documentation. */
export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const width = (column: string) => Math.max(column.length, ...rows.map((row) => row[column]!.length));
  console.log(`\n### ${title}\n`);
  console.log(line(columns.map((column) => column.padEnd(width(column)))));
  console.log(line(columns.map((column) => "-".repeat(width(column)))));
  for (const row of rows) console.log(line(columns.map((column) => row[column]!.padEnd(width(column)))));
}

/** Formats whether the result meets a target. */
export const verdict = (isMet: boolean) => (isMet ? "met" : "MISSED");
