import { useRef, useState } from "react";
import { flushSync } from "react-dom";

import type { Home } from "../../contract/account.ts";
import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { formatCount } from "../lib/format-count.ts";
import { splitArrivals } from "./arrivals.ts";
import { LeadCard } from "./lead-card.tsx";
import { useReading } from "./reading.ts";
import { useSteadyList } from "./steady-list.ts";
import { useGradually } from "./use-gradually.ts";

/**
 * The leads for sale, newest first. Under a thumb nothing moves: while the list is scrolled or touched, new
 * leads wait behind a button.
 * @param arrived the ids of those that came in live and have not been seen sliding in
 */
export function LeadList({
  leads,
  arrived,
  onSeen,
  user,
  onBuy,
  home,
}: {
  leads: readonly LeadSummary[];
  arrived: ReadonlySet<string>;
  onSeen: (lead: LeadSummary) => void;
  user: CurrentUser;
  onBuy: (lead: LeadSummary) => void;
  home: Home | null;
}) {
  const reading = useReading();
  const list = useRef<HTMLUListElement>(null);
  const [drawn, setDrawn] = useState(leads);
  const { shown, waiting } = splitArrivals(leads, drawn, reading);
  const isSame = shown.length === drawn.length && shown.every((lead, index) => lead === drawn[index]);
  if (!isSame) setDrawn(shown);
  const standing = useGradually(shown, reading === "pressing");
  useSteadyList(list);
  const showAll = () => {
    flushSync(() => setDrawn([]));
    scrollTo({ top: 0, behavior: "instant" });
    // The button is gone; whoever came by keyboard goes on from the newest.
    list.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <div className="leads__new">
        {waiting > 0 && (
          <button type="button" className="button button--main" onClick={showAll}>
            {waiting === 1 ? "1 new lead" : `${formatCount(waiting)} new leads`}
          </button>
        )}
      </div>
      <ul className="leads" ref={list} tabIndex={-1}>
        {standing.map((lead) => (
          <LeadCard
            key={lead.id}
            lead={lead}
            isArrival={arrived.has(lead.id)}
            onSeen={onSeen}
            user={user}
            onBuy={onBuy}
            home={home}
          />
        ))}
      </ul>
    </>
  );
}
