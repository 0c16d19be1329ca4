/** A hold requested for the buyer by a tap before hydration. */
export type EarlyTake = {
  leadId: string;
  /** Time of the request by this browser's clock (epoch ms). */
  askedAt: number;
  answer: Promise<Response>;
};

declare global {
  interface Window {
    /** Set by `app/early-taps.ts`. */
    earlyTake?: EarlyTake;
  }
}

/** Returns the early hold and clears it. @returns null if there is none for this lead */
export function claimEarlyTake(leadId: string): EarlyTake | null {
  const take = window.earlyTake;
  if (take?.leadId !== leadId) return null;
  delete window.earlyTake;
  return take;
}
