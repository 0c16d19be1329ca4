/** A hold requested for the buyer by a tap before hydration. */
export type EarlyHold = {
  leadId: string;
  /** Time of the request by this browser's clock (epoch ms). */
  requestedAt: number;
  answer: Promise<Response>;
};

declare global {
  interface Window {
    /** Set by `app/early-taps.ts`. */
    earlyHold?: EarlyHold;
  }
}

/** Returns the early hold and clears it. @returns null if there is none for this lead */
export function consumeEarlyHold(leadId: string): EarlyHold | null {
  const early = window.earlyHold;
  if (early?.leadId !== leadId) return null;
  delete window.earlyHold;
  return early;
}
