const COUNT = new Intl.NumberFormat("en-AU");

/** Formats a count, such as "12" or "1,204". */
export function formatCount(count: number): string {
  return COUNT.format(count);
}
