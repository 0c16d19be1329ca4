import { useQuery } from "@tanstack/react-query";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const OWN_HOLDS_KEY = ["own-holds"] as const;

/**
 * The leads this business is paying for, so that a window that was reloaded finds back to them.
 * @param isBuyer false for those who do not buy; nothing is asked for them
 */
export function useOwnHolds(isBuyer: boolean): ReadonlySet<string> {
  const { data } = useQuery({
    queryKey: OWN_HOLDS_KEY,
    queryFn: () => unwrap(browserApi().api.payments.open.$get()),
    enabled: isBuyer,
    select: (holds) => new Set(holds.map(({ leadId }) => leadId)),
  });
  return data ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
