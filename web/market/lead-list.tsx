import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

import type { Home } from "../../contract/account.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { formatCount } from "../lib/format-count.ts";
import { BarNotice } from "../ui/bar-notice.tsx";
import { Button } from "../ui/button.tsx";
import { splitArrivals } from "./arrivals.ts";
import type { OnBuy } from "./lead-actions.tsx";
import { LeadCard } from "./lead-card.tsx";
import { goneReason, type MarketState } from "./market.ts";

/**
 * Lists the leads for sale, newest first. The list does not move under the user's finger. New leads wait behind a
 * button in the top bar, and a lead that left the market keeps its place.
 * @param targetLeadId ID of a lead to show immediately, or null
 */
export function MarketList({
  leads,
  market,
  onBuy,
  home,
  targetLeadId,
}: {
  leads: readonly LeadSummary[];
  market: MarketState;
  onBuy: OnBuy;
  home: Home | null;
  targetLeadId: string | null;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [rendered, setRendered] = useState(leads);
  // Remove the buyer's own purchase at once, because its dialog covers the list.
  const displayed = rendered.filter((lead) => goneReason(market, lead) !== "bought");
  const isTarget = ({ id }: LeadSummary) => id === targetLeadId;
  const isTargetHidden = leads.some(isTarget) && !rendered.some(isTarget);
  const { shown, waiting } = splitArrivals(leads, isTargetHidden ? [] : displayed);
  const isSame = shown.length === rendered.length && shown.every((lead, index) => lead === rendered[index]);
  if (!isSame) setRendered(shown);
  const forSale = new Set(leads.map(({ id }) => id));
  useEffect(() => {
    // Show waiting leads while the page is hidden, because nothing can be tapped then.
    const refreshIfHidden = () => document.hidden && setRendered([]);
    document.addEventListener("visibilitychange", refreshIfHidden);
    return () => document.removeEventListener("visibilitychange", refreshIfHidden);
  }, []);
  const showAll = () => {
    // The button will disappear. Move the focus to the list, so that keyboard users continue from the newest lead. New
    // cards slide in only while the list has the focus.
    list.current?.focus({ preventScroll: true });
    flushSync(() => setRendered([]));
    scrollTo({ top: 0, behavior: "instant" });
  };
  return (
    <>
      {waiting > 0 && (
        <BarNotice>
          <Button variant="main" className="leads__new" onClick={showAll}>
            {waiting === 1 ? "1 new lead" : `${formatCount(waiting)} new leads`}
          </Button>
        </BarNotice>
      )}
      <ul className="stack gap-4 leads" ref={list} tabIndex={-1}>
        {shown.map((lead) => (
          <LeadCard
            key={lead.id}
            lead={lead}
            gone={forSale.has(lead.id) ? null : (goneReason(market, lead) ?? "withdrawn")}
            onBuy={onBuy}
            home={home}
          />
        ))}
      </ul>
    </>
  );
}
