/** Formats how much longer a lead may be held, in words that stay true between two ticks of the clock. */
export function formatHold(until: number, now: number): string {
  const leftMs = until - now;
  if (leftMs <= 0) return "Payment being confirmed";
  const minutes = Math.ceil(leftMs / 60_000);
  return `Being bought, less than ${minutes} min left`;
}
