import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";

import type { Home } from "../../contract/account.ts";
import type { OnBuy } from "../market/lead-actions.tsx";
import type { LeadSummary } from "../../contract/leads.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import { useUser } from "../auth/current-user.ts";
import { parsePipelineUrl } from "../pipeline/pipeline-url.ts";
import { usePlan } from "../pipeline/plan.ts";
import { ViewNav } from "./view-nav.tsx";
import { countByTile, type PipelinePage, type PurchasedLead } from "../purchases/purchases.ts";
import { usePipeline } from "../purchases/use-pipeline.ts";
import { SearchButton } from "../search/search-button.tsx";
import { PANEL_ID, Tabs } from "../ui/tabs.tsx";
import { AvailableTab } from "../market/available-tab.tsx";
import { RegionFilter } from "../market/region-filter.tsx";
import { DashboardHead } from "./dashboard-head.tsx";
import { formatCount } from "../lib/format-count.ts";
import { fetchWhenIdle, type PropsOf, useLazyPart, useLazyPartWithRetry } from "../lib/lazy-part.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";
import { useUrlState } from "../lib/use-url-state.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { HoldsOnTap } from "../market/hold-on-tap.ts";
import { goneReason, listMarket, type MarketState, withoutPassedOn } from "../market/market.ts";
import type { LeadPage } from "../market/market-store.ts";
import { useOffers } from "../purchases/offers.ts";
import { type FirstOwnCustomers, useFirstOwnCustomers } from "../market/own-customers.tsx";
import { useMarket } from "../market/use-market.ts";
import { useLinkedLead } from "../market/use-linked-lead.ts";
import {
  afterCall,
  checkNotice,
  serverRenderedProps,
  firstRun,
  IDLE_PARTS,
  liveLists,
  offeredLeads,
  paymentReturn,
  pipelineView,
  purchaseDialog,
  regionPicker,
  regionsDialog,
  searchDialog,
  teamSection,
} from "./lazy-parts.ts";

const AVAILABLE = "available";
const NO_MARKET: MarketState = {};
const NO_PURCHASES: readonly PurchasedLead[] = [];
const VIEW_TITLES = { list: "Available", board: "Board", today: "Today" } as const;

/** Shows the dashboard of a provider or a team member: the market and the business's purchases. */
export function Dashboard({
  payments,
  firstLeads,
  firstPurchases,
  firstOwnCustomers,
  home,
}: {
  payments: "stripe" | "direct";
  firstLeads: LeadPage | null;
  firstPurchases: PipelinePage | null;
  /** Which of the first leads come from the business's own customers; null if that failed to load. */
  firstOwnCustomers: FirstOwnCustomers | null;
  /** The business's location, for the leads' distances. */
  home: Home | null;
}) {
  const user = useUser();
  const { params, go } = useUrlState();
  const urlState = useMemo(() => parsePipelineUrl(params), [params]);
  const { view, tile } = urlState;
  const tab = view === "list" ? (tile?.id ?? AVAILABLE) : null;
  const isPipeline = tab !== AVAILABLE;
  const region = params.get("region");
  const watched = user.watchedRegions;
  const chosen = region !== null && watched.includes(region) ? region : null;
  const marketQuery = useMarket(watched, firstLeads);
  const pipeline = usePipeline(firstPurchases);
  useFirstOwnCustomers(firstOwnCustomers);
  useEffect(() => fetchWhenIdle(IDLE_PARTS), []);
  const { Part: LiveLists } = useLazyPartWithRetry(liveLists);
  const { Part: PaymentReturn } = useLazyPart(paymentReturn, params.has("hold"));
  // Load the following parts after the live lists.
  const isLive = LiveLists !== null;
  // Show the setup steps after the owner has chosen regions.
  const isOwner = user.userType === "provider" && !user.isSuperAdmin;
  const isNewOwner = isOwner && !isPipeline && watched.length > 0;
  const { Part: FirstRun } = useLazyPart(firstRun, isLive && isNewOwner);
  // Below the list too, so that nothing moves before a tap.
  const { Part: CheckNotice } = useLazyPart(checkNotice, isLive && isOwner);
  const { Part: AfterCall } = useLazyPartWithRetry(afterCall);
  const { Part: TeamSection } = useLazyPart(teamSection, user.userType === "provider");

  const offers = useOffers();
  const hasOffers = offers !== null && offers.length > 0;
  const { Part: OfferedLeads } = useLazyPart(offeredLeads, hasOffers && !isPipeline);

  const [wanted, setWanted] = useState<LeadSummary | null>(null);
  /** Whether the wanted lead is an offer to this business. The market does not have it. */
  const [isOffer, setIsOffer] = useState(false);
  const { Dialog: PurchaseDialog, open: openPurchase } = useLazyDialog(purchaseDialog);
  const buy = useCallback<OnBuy>(
    (lead, button) => {
      setWanted(lead);
      setIsOffer(false);
      void openPurchase(button);
    },
    [openPurchase],
  );
  const buyOffer = useCallback<OnBuy>(
    (lead, button) => {
      buy(lead, button);
      setIsOffer(true);
    },
    [buy],
  );
  const regionsDialogControl = useLazyDialog(regionsDialog);
  const changeRegions = (button: HTMLElement) => void regionsDialogControl.open(button);
  /** ID of a lead for sale to bring into view. */
  const [targetLeadId, setTargetLeadId] = useState<string | null>(null);

  const market = useMemo(
    () => withoutPassedOn(marketQuery.data ?? NO_MARKET, pipeline.data?.purchases ?? NO_PURCHASES),
    [marketQuery.data, pipeline.data],
  );
  // Defer the market, so that a burst of leads renders together and taps take priority.
  const listed = useDeferredValue(market);
  const onSale = marketQuery.data && watched.length > 0 ? listMarket(market, watched).leads : null;
  const canBuy = onSale && offers && [...offers.map(({ lead }) => lead), ...onSale];
  const linked = useMemo(
    () => ({
      onShown: () => go({ lead: null }, true),
      onForSale: setTargetLeadId,
      onOwn: (purchase: PurchasedLead) => go({ tab: tileIdOf(purchase), lead: purchase.id }, true),
    }),
    [go],
  );
  const bought = pipeline.data?.isComplete ? pipeline.data.purchases : null;
  useLinkedLead(view === "list" && !tile ? params.get("lead") : null, canBuy, bought, linked);
  const plan = usePlan(pipeline.data?.purchases ?? NO_PURCHASES);
  const tabs = useMemo(() => {
    const isKnown = marketQuery.data !== undefined && watched.length > 0;
    const counts = pipeline.data && countByTile(pipeline.data);
    return [
      {
        id: AVAILABLE,
        label: "Available",
        href: "/dashboard",
        count: isKnown ? listMarket(market, watched, offers?.length).count : "–",
      },
      ...PIPELINE_TILES.map(({ id, label, stage }) => ({
        id,
        label,
        href: `/dashboard?tab=${id}`,
        count: counts ? formatCount(counts[stage ?? "final"]) : "–",
      })),
    ];
  }, [market, marketQuery.data, watched, offers?.length, pipeline.data]);

  return (
    <div className="dash dashboard" data-covered={(isPipeline && urlState.openId !== null) || undefined}>
      <DashboardHead
        refetchPurchases={pipeline.refetch}
        search={
          <SearchButton
            part={searchDialog}
            purchases={pipeline.data?.purchases ?? NO_PURCHASES}
            leads={listMarket(market, watched).leads}
            isLoading={pipeline.rest === "loading"}
            onLead={(lead) => {
              go({ view: null, tab: null, lead: null, region: null });
              setTargetLeadId(lead.id);
            }}
          />
        }
      />
      <ViewNav current={view} dueCount={pipeline.data?.isComplete ? plan.due.length : null} />
      {view === "list" && (
        <div className="dashboard__row">
          <Tabs
            label="Leads by stage"
            tabs={tabs}
            current={tab}
            onChoose={(id, how) => go({ lead: null, tab: id === AVAILABLE ? null : id }, how === "key")}
          />
          {!isPipeline && marketQuery.data && watched.length > 0 && (
            <RegionFilter
              market={listed}
              watched={watched}
              chosen={chosen}
              onChoose={(slug) => go({ region: slug }, true)}
              onChangeRegions={changeRegions}
            />
          )}
        </div>
      )}
      {LiveLists && <LiveLists chosen={chosen} />}
      {PaymentReturn && <PaymentReturn />}
      <section
        role={tab ? "tabpanel" : undefined}
        id={PANEL_ID}
        aria-labelledby={tab ? `tab-${tab}` : "panel-title"}
        className="panel"
      >
        <h2 className="visually-hidden" id="panel-title">
          {tile?.label ?? VIEW_TITLES[view]}
        </h2>
        {hasOffers && OfferedLeads && !isPipeline && (
          <HoldsOnTap value={payments === "stripe"}>
            <OfferedLeads offers={offers} onBuy={buyOffer} home={home} />
          </HoldsOnTap>
        )}
        {isPipeline ? (
          <LazyPipeline urlState={urlState} pipeline={pipeline} plan={plan} go={go} />
        ) : marketQuery.error && !marketQuery.data ? (
          <LoadFailure error={marketQuery.error} retry={marketQuery.refetch} />
        ) : watched.length === 0 ? (
          <FirstRegions />
        ) : (
          <HoldsOnTap value={payments === "stripe"}>
            <AvailableTab
              market={listed}
              chosen={chosen}
              hasOffers={hasOffers}
              onChangeRegions={changeRegions}
              onBuy={buy}
              home={home}
              targetLeadId={targetLeadId}
              onShown={() => setTargetLeadId(null)}
            />
          </HoldsOnTap>
        )}
      </section>
      {CheckNotice && <CheckNotice />}
      {FirstRun && <FirstRun takesCards={payments === "stripe"} />}
      {AfterCall && <AfterCall purchases={pipeline.data?.purchases ?? NO_PURCHASES} />}
      {TeamSection && <TeamSection />}
      {wanted && PurchaseDialog && (
        <PurchaseDialog
          key={wanted.id}
          lead={wanted}
          goneReason={isOffer ? null : goneReason(market, wanted)}
          payments={payments}
          onClose={() => setWanted(null)}
          onOpenPipeline={(purchaseId) => {
            setWanted(null);
            go({ view: null, tab: "leads", lead: purchaseId });
          }}
        />
      )}
      {regionsDialogControl.Dialog && (
        <regionsDialogControl.Dialog watched={watched} onClose={regionsDialogControl.close} />
      )}
    </div>
  );
}

const tileIdOf = ({ salesStage }: PurchasedLead) =>
  PIPELINE_TILES.find(({ stage }) => stage === salesStage)?.id ?? "leads";

/** Shows the pipeline after its code has loaded. */
function LazyPipeline(props: PropsOf<typeof pipelineView>) {
  const { Part, error, retry } = useLazyPart(pipelineView, true);
  if (error) return <LoadFailure error={error} retry={retry} />;
  return (
    <div {...serverRenderedProps("pipeline")}>
      {Part ? <Part {...props} /> : <p className="rest">Loading…</p>}
    </div>
  );
}

/** Asks the provider to choose regions before it shows any leads. */
function FirstRegions() {
  const { Part: RegionPicker, error, retry } = useLazyPart(regionPicker, true);
  if (error) return <LoadFailure error={error} retry={retry} />;
  return (
    <div className="stack gap-4 first" {...serverRenderedProps("regions")}>
      <h3>Where do you work?</h3>
      <p>Choose the regions whose leads you want to see. Change them any time. You can still buy anywhere.</p>
      {RegionPicker && <RegionPicker watched={[]} submitLabel="Show me the leads" />}
    </div>
  );
}
