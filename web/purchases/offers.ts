import { useQuery } from "@tanstack/react-query";

import type { OfferedLead } from "../../contract/leads.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useClock } from "../lib/clock.tsx";

export const OFFERS_KEY = ["offers"] as const;

/** Returns the leads that only this business can buy right now; null while they load. */
export function useOffers(): readonly OfferedLead[] | null {
  const { now } = useClock();
  const { data, isError } = useQuery({
    queryKey: OFFERS_KEY,
    queryFn: () => unwrap(browserApi().api.leads.offers.$get()),
    refetchOnReconnect: true,
  });
  if (!data) return isError ? [] : null;
  // A hold outlives its offer.
  return data.filter(({ lead, endsAt }) => endsAt > now || lead.heldUntil !== null);
}
