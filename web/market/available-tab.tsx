import "./available-tab.css";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { regionName } from "../../contract/regions.ts";
import { messageOf } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";
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
  onChoose,
  onChangeRegions,
  onBuy,
  sought,
  onShown,
}: {
  market: Market;
  user: CurrentUser;
  chosen: string | null;
  onChoose: (region: string | null) => void;
  onChangeRegions: () => void;
  onBuy: (lead: LeadSummary) => void;
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
      <RegionFilter
        market={market}
        watched={watched}
        chosen={chosen}
        onChoose={onChoose}
        onChangeRegions={onChangeRegions}
      />
      {leads.length === 0 ? (
        <div className="empty">
          <p>
            <strong>
              No {others > 0 && "other "}leads {chosen ? `in ${regionName(chosen)}` : "in your regions"} right
              now.
            </strong>
          </p>
          <p>New ones appear here the moment somebody asks for a quote. No need to reload.</p>
          <Button look="quiet" onClick={onChangeRegions}>
            Watch more regions
          </Button>
        </div>
      ) : (
        <LeadList
          // Another region, or all services, is another list.
          key={`${chosen} ${showsAll}`}
          leads={leads}
          arrived={arrived}
          onSeen={seen}
          user={user}
          onBuy={onBuy}
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
    card.querySelector<HTMLElement>("summary")?.focus({ preventScroll: true });
    tellShown();
  }, [sought]);
}

function RegionFilter({
  market,
  watched,
  chosen,
  onChoose,
  onChangeRegions,
}: {
  market: Market;
  watched: readonly string[];
  chosen: string | null;
  onChoose: (region: string | null) => void;
  onChangeRegions: () => void;
}) {
  return (
    <fieldset className="filter">
      <legend className="visually-hidden">Region</legend>
      <button type="button" className="chip" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        All regions
      </button>
      {watched.map((slug) => (
        <button
          key={slug}
          type="button"
          className="chip"
          aria-pressed={chosen === slug}
          onClick={() => onChoose(slug)}
        >
          {regionName(slug)} <span>{listMarket(market, [slug]).count}</span>
        </button>
      ))}
      <button type="button" className="chip chip--act" onClick={onChangeRegions}>
        <Icon name="sliders" size={18} /> Change regions
      </button>
    </fieldset>
  );
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
