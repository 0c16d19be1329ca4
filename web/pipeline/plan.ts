import { useMemo } from "react";

import { isCallDue } from "../../contract/call-state.ts";
import { isFinal, comparePurchases } from "../../contract/pipeline.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../contract/sydney-time.ts";
import { useClock } from "../lib/clock.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";

/** Number of days that count as "soon". */
export const SOON_DAYS = 7;

/**
 * Returns the purchases due today or earlier and those due soon, the most urgent first. Calls within the call clock come
 * before all next actions: their customers are waiting.
 */
export function planOf(purchases: readonly PurchasedLead[], today: string) {
  const tomorrow = startOfSydneyDay(addDays(today, 1))!;
  const soonEnd = startOfSydneyDay(addDays(today, 1 + SOON_DAYS))!;
  const open = purchases.filter((purchase) => !isFinal(purchase));
  const calls = open.filter(isCallDue).toSorted((a, b) => a.clockEndsAt! - b.clockEndsAt!);
  const planned = open
    .filter((purchase) => purchase.nextActionAt !== null && !isCallDue(purchase))
    .toSorted(comparePurchases("next"));
  return {
    due: [...calls, ...planned.filter(({ nextActionAt }) => nextActionAt! < tomorrow)],
    soon: planned.filter(({ nextActionAt }) => nextActionAt! >= tomorrow && nextActionAt! < soonEnd),
  };
}

/** Returns the purchases with a call or a next action due today or soon. */
export function usePlan(purchases: readonly PurchasedLead[]) {
  const { now } = useClock();
  const today = sydneyDay(now);
  return useMemo(() => planOf(purchases, today), [purchases, today]);
}
