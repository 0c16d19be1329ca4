const COUNT = new Intl.NumberFormat("en-AU");

/** Formats a count: "12", "1,204". */
export function formatCount(count: number): string {
  return COUNT.format(count);
}
