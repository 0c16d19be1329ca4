/** A hold requested for the buyer before hydration. */
export type EarlyTake = {
  leadId: string;
  /** Time of the request, in epoch ms of this browser. */
  askedAt: number;
  answer: Promise<Response>;
};

declare global {
  interface Window {
    /** Set by `app/early-taps.ts`. */
    earlyTake?: EarlyTake;
  }
}

/** Returns the early hold once, and clears it. @returns null when it was for another lead, or there is none */
export function claimEarlyTake(leadId: string): EarlyTake | null {
  const take = window.earlyTake;
  if (take?.leadId !== leadId) return null;
  delete window.earlyTake;
  return take;
}
