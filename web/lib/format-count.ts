const COUNT = new Intl.NumberFormat("en-AU");

/** How many there are: "12", "1,204". */
export function formatCount(count: number): string {
  return COUNT.format(count);
}
