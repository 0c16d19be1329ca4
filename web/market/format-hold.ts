/** Formats the remaining time of a hold. The text is correct until the next tick of the clock. */
export function formatHold(until: number, now: number): string {
  const leftMs = until - now;
  if (leftMs <= 0) return "Payment being confirmed";
  const minutes = Math.ceil(leftMs / 60_000);
  return `Being bought, less than ${minutes} min left`;
}
