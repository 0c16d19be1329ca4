/** Price of every lead but a rescued one, in cents. Providers see and pay this price everywhere. */
export const LEAD_PRICE_CENTS = 5000;

/** The price of a rescued lead, in cents. */
export const RESCUE_PRICE_CENTS = 2500;

/**
 * Formats cents as the API's decimal text.
 * @param cents integer cents, e.g. 5000
 * @returns text with two decimals, e.g. "50.00"
 */
export function centsToText(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents);
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}

/** Formats cents for display: 5000 becomes "$50.00". */
export function formatCents(cents: number): string {
  return `$${centsToText(cents)}`;
}

/** Plain digits, or groups of three with one kind of separator. Cents only after a point. */
const AMOUNT = /^\$?\s*(\d+|\d{1,3}(?:([, ])\d{3})(?:\2\d{3})*)(?:\.(\d{1,2}))?$/;

/** Eight digits before the point: precision 10, scale 2. */
const MAX_DOLLAR_DIGITS = 8;

/**
 * Parses a typed amount to cents, without floating point: "1200.5", "1,200.50", "1 200", "$450".
 * @returns integer cents, or null when the text is not such an amount
 */
export function textToCents(text: string): number | null {
  const match = AMOUNT.exec(text.normalize("NFKC").trim().replaceAll(/\s/g, " "));
  const dollars = match?.[1]!.replaceAll(/[, ]/g, "");
  if (!match || dollars!.length > MAX_DOLLAR_DIGITS) return null;
  return Number(dollars) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
}

/**
 * Returns the amount that a decimal comma may mean, as the API's text: "1200,50" and "1.200,50" may mean "1200.50".
 * @returns null for text without a decimal comma
 */
export function readDecimalComma(text: string): string | null {
  const match = /^([^,]+),(\d{1,2})$/.exec(text.trim());
  const cents = match && textToCents(`${match[1]!.replaceAll(".", ",")}.${match[2]}`);
  return cents === null ? null : centsToText(cents);
}
