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
import { LeadList } from "./lead-list.tsx";
import { listMarket, type Market } from "./market.ts";
import { forgetArrival, loadOlder } from "./market-store.ts";

/** Whether a lead asks for anything a business offers; one that named no services offers all. */
function isOurWork(lead: LeadSummary, services: readonly string[]): boolean {
  return services.length === 0 || lead.serviceType.some((service) => services.includes(service));
}

/** The leads for sale in the watched regions, or in one of them. */
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
  market: Market;
  user: CurrentUser;
  chosen: string | null;
  onChangeRegions: (button: HTMLElement) => void;
  onBuy: (lead: LeadSummary) => void;
  home: Home | null;
  /** The id of a lead that was searched for; null when none is. */
  sought: string | null;
  /** Tells that it is in sight. */
  onShown: () => void;
}) {
  const client = useQueryClient();
  const watched = user.watchedRegions;
  const slugs = chosen ? [chosen] : watched;
  const { leads: all, hasMore } = listMarket(market, slugs);
  const [showsAll, setShowsAll] = useState(false);
  // Their services narrow the view, never the right to buy.
  // One that was searched for is shown, whatever it asks for.
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
          <p>New ones appear here the moment somebody asks for a quote. No need to reload.</p>
          <Button look="quiet" onClick={({ currentTarget }) => onChangeRegions(currentTarget)}>
            Watch more regions
          </Button>
        </div>
      ) : (
        <LeadList
          // Other regions or services make another list.
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

/** Brings a lead that was searched for into sight, and the focus to it. @param sought null until it is listed */
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
