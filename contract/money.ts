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

/**
 * Parses decimal text to cents, without floating point.
 * @param text digits with at most two decimals, e.g. "50", "50.5" or "50.00"; precision 10, scale 2
 * @returns integer cents, or null when the text is not such an amount
 */
export function textToCents(text: string): number | null {
  const match = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
