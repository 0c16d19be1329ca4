/** The one price of a lead, in cents. Providers see and pay this figure everywhere. */
export const LEAD_PRICE_CENTS = 5000;

/**
 * Cents as the decimal text the API speaks.
 * @param cents integer cents, e.g. 5000
 * @returns text with two decimals, e.g. "50.00"
 */
export function centsToText(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents);
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}

/** Cents as a sentence says them: 5000 is "$50.00". */
export function formatCents(cents: number): string {
  return `$${centsToText(cents)}`;
}

/**
 * Decimal text to cents, without going through floating point.
 * @param text digits with at most two decimals, e.g. "50", "50.5" or "50.00"; precision 10, scale 2
 * @returns integer cents, or null when the text is no such amount
 */
export function textToCents(text: string): number | null {
  const match = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
