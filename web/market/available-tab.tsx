import "./available-tab.css";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import type { Home } from "../../contract/account.ts";
import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { regionName } from "../../contract/regions.ts";
import { messageOf } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { ExampleLead } from "./example-lead.tsx";
import { MarketList } from "./lead-list.tsx";
import { listMarket, type MarketState } from "./market.ts";
import { forgetArrival, loadOlder } from "./market-store.ts";

/**
 * Returns whether a lead asks for a service that the business offers. A business without chosen services offers all.
 */
function isOurWork(lead: LeadSummary, services: readonly string[]): boolean {
  return services.length === 0 || lead.serviceType.some((service) => services.includes(service));
}

/** Lists the leads for sale in all watched regions or in the chosen one. */
export function AvailableTab({
  market,
  user,
  chosen,
  onChangeRegions,
  onBuy,
  home,
  sought,
  onShown,
}: {
  market: MarketState;
  user: CurrentUser;
  chosen: string | null;
  onChangeRegions: (button: HTMLElement) => void;
  onBuy: (lead: LeadSummary) => void;
  home: Home | null;
  /** ID of the lead the user searched for, or null. */
  sought: string | null;
  /** Called when that lead is in view. */
  onShown: () => void;
}) {
  const client = useQueryClient();
  const watched = user.watchedRegions;
  const slugs = chosen ? [chosen] : watched;
  const { leads: all, hasMore } = listMarket(market, slugs);
  const [showsAll, setShowsAll] = useState(false);
  // The provider's services filter the list, but the provider may buy any lead. Show a lead that the user searched for,
  // whatever its services.
  if (sought !== null && !showsAll) setShowsAll(true);
  const leads = showsAll ? all : all.filter((lead) => isOurWork(lead, user.services));
  useSought(leads.some(({ id }) => id === sought) ? sought : null, onShown);
  const others = all.length - leads.length;
  const arrived = new Set(slugs.flatMap((slug) => market[slug]?.arrived ?? []));
  const [seen] = useState(() => (lead: LeadSummary) => forgetArrival(client, lead));
  return (
    <>
      {leads.length === 0 ? (
        <div className="empty">
          <ExampleLead />
          <p>
            <strong>
              No {others > 0 && "other "}leads {chosen ? `in ${regionName(chosen)}` : "in your regions"} right
              now.
            </strong>
          </p>
          <p>New ones appear here as soon as someone asks for a quote. No need to reload.</p>
          <Button look="quiet" onClick={({ currentTarget }) => onChangeRegions(currentTarget)}>
            Watch more regions
          </Button>
        </div>
      ) : (
        <MarketList
          // Remount the list for other regions or services.
          key={`${slugs} ${showsAll || user.services}`}
          leads={leads}
          market={market}
          arrived={arrived}
          onSeen={seen}
          user={user}
          onBuy={onBuy}
          home={home}
          sought={sought}
        />
      )}
      {others > 0 && (
        <p className="leads__others">
          {others === 1 ? "1 lead is" : `${others} leads are`} for services you do not offer.{" "}
          <button type="button" className="link-button" onClick={() => setShowsAll(true)}>
            Show all
          </button>
        </p>
      )}
      {hasMore && <MoreButton slugs={slugs} />}
    </>
  );
}

/** Scrolls to the lead that the user searched for and focuses it. @param sought null until the lead is listed */
function useSought(sought: string | null, onShown: () => void) {
  const tellShown = useEffectEvent(onShown);
  useEffect(() => {
    const card =
      sought && document.querySelector<HTMLElement>(`.leads > [data-lead="${CSS.escape(sought)}"]`);
    if (!card) return;
    card.scrollIntoView({ block: "center" });
    (card.querySelector("button") ?? card.querySelector("summary"))?.focus({ preventScroll: true });
    tellShown();
  }, [sought]);
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
        title: "Older leads did not load",
        description: messageOf(error, "Please check your connection and try again."),
        tone: "destructive",
      });
    }
    setLoading(false);
  };
  return (
    <p className="more">
      <Button look="quiet" isBusy={isLoading} onClick={() => void load()}>
        {isLoading ? "Loading…" : "Load older leads"}
      </Button>
    </p>
  );
}
