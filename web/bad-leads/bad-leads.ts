import { useQuery } from "@tanstack/react-query";

import type { CallClock } from "../../contract/call-clock.ts";
import type { BadLeadOverview } from "../../contract/bad-leads.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const BAD_LEADS_KEY = ["bad-leads"] as const;

/** Returns a business's bad-lead reports, its cases under the guarantee and its free claims; null while they load. */
export function useBadLeadOverview(): BadLeadOverview | null {
  const { data } = useQuery({
    queryKey: BAD_LEADS_KEY,
    queryFn: () => unwrap(browserApi().api["bad-leads"].$get()),
    // An admin may decide at any time. The query refetches when the dashboard opens and when a purchase changes.
    staleTime: 60_000,
  });
  return data ?? null;
}

/**
 * Returns whether a purchase's number is wrong. False while that is unknown, as without a connection, and once the
 * customer has answered "Did they call?": the call clock goes by that answer.
 */
export function useIsNumberWrong({ id, callClock }: { id: string; callClock?: CallClock | null }): boolean {
  const cases = useBadLeadOverview()?.cases ?? [];
  return !callClock?.answer && cases.some((found) => found.purchaseId === id && found.isNumberWrong);
}

/** Returns the number of the business's free claims, or of those for leads of a price such as "50.00". */
export function useFreeClaimCount(price?: string): number {
  const prices = useBadLeadOverview()?.claimPrices ?? [];
  return price === undefined ? prices.length : prices.filter((own) => own === price).length;
}
