/** A lead that was taken for its buyer before the application was awake. */
export type EarlyTake = {
  leadId: string;
  /** When it was asked for, in epoch ms of this browser. */
  askedAt: number;
  answer: Promise<Response>;
};

declare global {
  interface Window {
    /** Put there by `app/early-taps.ts`. */
    earlyTake?: EarlyTake;
  }
}

/** Hands over the lead that was taken early, once. @returns null when that was another lead, or none */
export function claimEarlyTake(leadId: string): EarlyTake | null {
  const take = window.earlyTake;
  if (take?.leadId !== leadId) return null;
  delete window.earlyTake;
  return take;
}
