const WORDS = [
  "",
  "one year",
  "two years",
  "three years",
  "four years",
  "five years",
  "six years",
  "seven years",
];

/**
 * Returns a retention period as text.
 * @param days the number of days before deletion; 0 for never
 */
export function formatPeriod(days: number): string {
  if (days === 0) return "when you ask us to";
  const years = Math.round(days / 365.25);
  const isWhole = years > 0 && Math.abs(days - years * 365.25) < 2;
  if (isWhole) return `after ${WORDS[years] ?? `${years} years`}`;
  return `after ${days} ${days === 1 ? "day" : "days"}`;
}
