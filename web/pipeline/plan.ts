import { useMemo } from "react";

import { isFinal, comparePurchases } from "../../contract/pipeline.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../contract/sydney-time.ts";
import { useClock } from "../lib/clock.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";

/** Number of days that count as "soon". */
export const SOON_DAYS = 7;

/** Returns the purchases due today or earlier and those due soon, the most urgent first. */
function planOf(purchases: readonly PurchasedLead[], today: string) {
  const tomorrow = startOfSydneyDay(addDays(today, 1))!;
  const soonEnd = startOfSydneyDay(addDays(today, 1 + SOON_DAYS))!;
  const planned = purchases
    .filter((purchase) => purchase.nextActionAt !== null && !isFinal(purchase))
    .toSorted(comparePurchases("next"));
  return {
    due: planned.filter(({ nextActionAt }) => nextActionAt! < tomorrow),
    soon: planned.filter(({ nextActionAt }) => nextActionAt! >= tomorrow && nextActionAt! < soonEnd),
  };
}

/** Returns the purchases with a next action due today or soon. */
export function usePlan(purchases: readonly PurchasedLead[]) {
  const { now } = useClock();
  const today = sydneyDay(now);
  return useMemo(() => planOf(purchases, today), [purchases, today]);
}
