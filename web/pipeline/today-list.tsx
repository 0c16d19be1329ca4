import "./today-list.css";

import { useMemo } from "react";

import { isFinal, orderOf } from "../../contract/pipeline.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../contract/sydney-time.ts";
import { useClock } from "../lib/clock.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { LeadList } from "./lead-list.tsx";
import { LeadRow } from "./lead-row.tsx";

const SOON_DAYS = 7;
const SOON_SHOWN = 25;

/** What is due by the end of today, and what comes in the week after; the most urgent first. */
function planOf(purchases: readonly PurchasedLead[], today: string) {
  const tomorrow = startOfSydneyDay(addDays(today, 1))!;
  const soonEnd = startOfSydneyDay(addDays(today, 1 + SOON_DAYS))!;
  const planned = purchases
    .filter((purchase) => purchase.nextActionAt !== null && !isFinal(purchase))
    .toSorted(orderOf("next"));
  return {
    due: planned.filter(({ nextActionAt }) => nextActionAt! < tomorrow),
    soon: planned.filter(({ nextActionAt }) => nextActionAt! >= tomorrow && nextActionAt! < soonEnd),
  };
}

/** The purchases whose next action is due or near. */
export function usePlan(purchases: readonly PurchasedLead[]) {
  const { now } = useClock();
  const today = sydneyDay(now);
  return useMemo(() => planOf(purchases, today), [purchases, today]);
}

/** What to do today, over all stages. */
export function TodayList({
  plan: { due, soon },
  openId,
  hrefOf,
}: {
  plan: ReturnType<typeof planOf>;
  openId: string | null;
  hrefOf: (id: string) => string;
}) {
  return (
    <div className="today">
      <h3 className="today__head">Overdue and today</h3>
      {due.length === 0 ? (
        <p className="empty">
          Nothing is due. Open a lead and give it a next action: it shows here on its day.
        </p>
      ) : (
        <LeadList purchases={due} openId={openId} hrefOf={hrefOf} />
      )}
      {soon.length > 0 && (
        <>
          <h3 className="today__head">The next {SOON_DAYS} days</h3>
          <ul className="rows rows--short">
            {soon.slice(0, SOON_SHOWN).map((purchase) => (
              <li key={purchase.id}>
                <LeadRow
                  purchase={purchase}
                  href={hrefOf(purchase.id)}
                  isOpen={purchase.id === openId}
                  showsStage
                />
              </li>
            ))}
          </ul>
          {soon.length > SOON_SHOWN && <p className="today__more">and {soon.length - SOON_SHOWN} more</p>}
        </>
      )}
    </div>
  );
}
