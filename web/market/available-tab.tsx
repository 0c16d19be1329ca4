import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import type { Home } from "../../contract/account.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { regionName } from "../../contract/regions.ts";
import { useUser } from "../auth/current-user.ts";
import { messageOf } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { ExampleLead } from "./example-lead.tsx";
import type { OnBuy } from "./lead-actions.tsx";
import { MarketList } from "./lead-list.tsx";
import { listMarket, type MarketState } from "./market.ts";
import { loadOlder } from "./market-store.ts";

/**
 * Returns whether a lead asks for a service that the business offers. A business without chosen services offers all.
 */
function matchesServices(lead: LeadSummary, services: readonly string[]): boolean {
  return services.length === 0 || lead.serviceType.some((service) => services.includes(service));
}

/** Lists the leads for sale in all watched regions or in the chosen one. */
export function AvailableTab({
  market,
  chosen,
  hasOffers,
  onChangeRegions,
  onBuy,
  home,
  targetLeadId,
  onShown,
}: {
  market: MarketState;
  chosen: string | null;
  /** Whether leads just for this business are shown above the market. */
  hasOffers: boolean;
  onChangeRegions: (button: HTMLElement) => void;
  onBuy: OnBuy;
  home: Home | null;
  /** ID of the lead the user searched for, or null. */
  targetLeadId: string | null;
  /** Called when the target lead scrolls into view. */
  onShown: () => void;
}) {
  const { watchedRegions, services } = useUser();
  const slugs = chosen ? [chosen] : watchedRegions;
  const { leads: all, hasMore } = listMarket(market, slugs);
  const [showsAll, setShowsAll] = useState(false);
  // The provider's services filter the list, but the provider may buy any lead. Show a lead that the user searched for,
  // whatever its services.
  if (targetLeadId !== null && !showsAll) setShowsAll(true);
  const leads = showsAll ? all : all.filter((lead) => matchesServices(lead, services));
  useScrollToLead(leads.some(({ id }) => id === targetLeadId) ? targetLeadId : null, onShown);
  const hiddenCount = all.length - leads.length;
  return (
    <>
      {leads.length === 0 ? (
        <div className="empty">
          {!hasOffers && <ExampleLead />}
          <p>
            <strong>
              No {(hasOffers || hiddenCount > 0) && "other "}leads{" "}
              {chosen ? `in ${regionName(chosen)}` : "in your regions"} right now.
            </strong>
          </p>
          <p>New ones will appear here as soon as someone asks for a quote. No need to reload.</p>
          <Button variant="quiet" onClick={({ currentTarget }) => onChangeRegions(currentTarget)}>
            Watch more regions
          </Button>
        </div>
      ) : (
        <MarketList
          // Remount the list for other regions or services.
          key={`${slugs} ${showsAll || services}`}
          leads={leads}
          market={market}
          onBuy={onBuy}
          home={home}
          targetLeadId={targetLeadId}
        />
      )}
      {hiddenCount > 0 && (
        <p className="muted text-sm leads__others">
          {hiddenCount === 1 ? "1 lead is" : `${hiddenCount} leads are`} for services you don't offer.{" "}
          <button type="button" className="link-button" onClick={() => setShowsAll(true)}>
            Show all
          </button>
        </p>
      )}
      {hasMore && <MoreButton slugs={slugs} />}
    </>
  );
}

/** Scrolls to the lead that the user searched for and focuses it. @param targetLeadId null until the lead is listed */
function useScrollToLead(targetLeadId: string | null, onShown: () => void) {
  const notifyShown = useEffectEvent(onShown);
  useEffect(() => {
    const card =
      targetLeadId &&
      document.querySelector<HTMLElement>(`.leads > [data-lead="${CSS.escape(targetLeadId)}"]`);
    if (!card) return;
    card.scrollIntoView({ block: "center" });
    (card.querySelector("button") ?? card.querySelector("summary"))?.focus({ preventScroll: true });
    notifyShown();
  }, [targetLeadId]);
}

function MoreButton({ slugs }: { slugs: readonly string[] }) {
  const client = useQueryClient();
  const toast = useToast();
  const [isLoading, setLoading] = useState(false);
  const load = async () => {
    setLoading(true);
    try {
      await loadOlder(client, slugs);
    } catch (error) {
      toast({
        title: "Older leads didn't load",
        description: messageOf(error, "Please check your connection and try again."),
        tone: "destructive",
      });
    }
    setLoading(false);
  };
  return (
    <p className="more">
      <Button variant="quiet" isBusy={isLoading} onClick={() => void load()}>
        {isLoading ? "Loading…" : "Load older leads"}
      </Button>
    </p>
  );
}
