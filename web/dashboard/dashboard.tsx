import "./dashboard.css";

import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";

import type { Home } from "../../contract/account.ts";
import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import { readPlace } from "../pipeline/pipeline-place.ts";
import { usePlan } from "../pipeline/plan.ts";
import { ViewNav } from "./view-nav.tsx";
import { useRestoredNotes } from "../purchases/notes-desk.tsx";
import { tileCountsOf, type PipelinePage, type PurchasedLead, usePipeline } from "../purchases/purchases.ts";
import { SearchButton } from "../search/search-button.tsx";
import { PANEL_ID, Tabs } from "../ui/tabs.tsx";
import { AvailableTab } from "../market/available-tab.tsx";
import { RegionFilter } from "../market/region-filter.tsx";
import { DashboardHead } from "./dashboard-head.tsx";
import { formatCount } from "../lib/format-count.ts";
import { fetchWhenIdle, useLatePart, useSurePart } from "../lib/late-part.ts";
import { useLateDialog } from "../lib/use-late-dialog.ts";
import { usePlace } from "../lib/use-place.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { TakesAtOnce } from "../market/taking.ts";
import { goneReason, listMarket, type MarketState } from "../market/market.ts";
import type { LeadPage } from "../market/market-store.ts";
import { useMarket } from "../market/use-market.ts";
import { useLinkedLead } from "../market/use-linked-lead.ts";
import {
  afterCall,
  appHint,
  drawnPart,
  firstRun,
  IDLE_PARTS,
  liveLists,
  paymentReturn,
  pipelineView,
  pullToRefresh,
  purchaseDialog,
  regionPicker,
  regionsDialog,
  searchDialog,
  teamSection,
} from "./late-parts.ts";

const AVAILABLE = "available";
const NO_MARKET: MarketState = {};
const NO_PURCHASES: readonly PurchasedLead[] = [];
const VIEW_TITLES = { list: "Available", board: "Board", today: "Today" } as const;

/** Shows the dashboard of a provider or a team member: the market and the business's purchases. */
export function Dashboard({
  user,
  payments,
  firstLeads,
  firstPurchases,
  home,
}: {
  user: CurrentUser;
  payments: "stripe" | "direct";
  firstLeads: LeadPage | null;
  firstPurchases: PipelinePage | null;
  /** The business's location, for the leads' distances. */
  home: Home | null;
}) {
  const { params, go } = usePlace();
  const place = useMemo(() => readPlace(params), [params]);
  const { view, tile } = place;
  const tab = view === "list" ? (tile?.id ?? AVAILABLE) : null;
  const isPipeline = tab !== AVAILABLE;
  const region = params.get("region");
  const watched = user.watchedRegions;
  const chosen = region !== null && watched.includes(region) ? region : null;
  const marketQuery = useMarket(watched, firstLeads);
  const pipeline = usePipeline(firstPurchases);
  useRestoredNotes(pipeline.data?.isComplete === true);
  useEffect(() => fetchWhenIdle(IDLE_PARTS), []);
  const { Part: LiveLists } = useSurePart(liveLists);
  const { Part: PaymentReturn } = useLatePart(paymentReturn, params.has("hold"));
  // Load the following parts after the live lists.
  const isLive = LiveLists !== null;
  // Show the setup steps after the owner has chosen regions.
  const isOwner = user.userType === "provider" && !user.isSuperAdmin;
  const isNewOwner = isOwner && !isPipeline && watched.length > 0;
  const { Part: FirstRun } = useLatePart(firstRun, isLive && isNewOwner);
  // Shown below the pipeline, where the owner works on the first purchase.
  const { Part: AppHint } = useLatePart(appHint, isLive && isPipeline && isOwner);
  const { Part: PullToRefresh } = useLatePart(pullToRefresh, isLive);
  const { Part: AfterCall } = useSurePart(afterCall);
  const { Part: TeamSection } = useLatePart(teamSection, user.userType === "provider");

  const [wanted, setWanted] = useState<LeadSummary | null>(null);
  const { Dialog: PurchaseDialog, open: openPurchase } = useLateDialog(purchaseDialog);
  const buy = useCallback(
    (lead: LeadSummary) => {
      setWanted(lead);
      void openPurchase(buyButtonOf(lead));
    },
    [openPurchase],
  );
  const picking = useLateDialog(regionsDialog);
  const changeRegions = (button: HTMLElement) => void picking.open(button);
  /** ID of a lead for sale to bring into view. */
  const [sought, setSought] = useState<string | null>(null);

  const market = marketQuery.data ?? NO_MARKET;
  // Defer the market, so that a burst of leads renders together and taps take priority.
  const listed = useDeferredValue(market);
  const onSale = marketQuery.data && watched.length > 0 ? listMarket(market, watched).leads : null;
  const linked = useMemo(
    () => ({
      onShown: () => go({ lead: null }, true),
      onForSale: setSought,
      onOwn: (purchase: PurchasedLead) => go({ tab: tileIdOf(purchase), lead: purchase.id }, true),
    }),
    [go],
  );
  const bought = pipeline.data?.isComplete ? pipeline.data.purchases : null;
  useLinkedLead(view === "list" && !tile ? params.get("lead") : null, onSale, bought, linked);
  const plan = usePlan(pipeline.data?.purchases ?? NO_PURCHASES);
  const tabs = useMemo(() => {
    const isKnown = marketQuery.data !== undefined && watched.length > 0;
    const counts = pipeline.data && tileCountsOf(pipeline.data);
    return [
      {
        id: AVAILABLE,
        label: "Available",
        href: "/dashboard",
        count: isKnown ? listMarket(market, watched).count : "–",
      },
      ...PIPELINE_TILES.map(({ id, label, stage }) => ({
        id,
        label,
        href: `/dashboard?tab=${id}`,
        count: counts ? formatCount(counts[stage ?? "final"]) : "–",
      })),
    ];
  }, [market, marketQuery.data, watched, pipeline.data]);

  return (
    <div className="dash dashboard" data-covered={(isPipeline && place.openId !== null) || undefined}>
      <DashboardHead
        user={user}
        refetchPurchases={pipeline.refetch}
        search={
          <SearchButton
            part={searchDialog}
            purchases={pipeline.data?.purchases ?? NO_PURCHASES}
            leads={listMarket(market, watched).leads}
            isLoading={pipeline.rest === "loading"}
            onLead={(lead) => {
              go({ view: null, tab: null, lead: null, region: null });
              setSought(lead.id);
            }}
          />
        }
      />
      <ViewNav user={user} current={view} dueCount={pipeline.data?.isComplete ? plan.due.length : null} />
      <div className="dashboard__row">
        <Tabs
          label="Leads by stage"
          tabs={tabs}
          current={tab}
          onChoose={(id, how) =>
            go({ view: null, lead: null, tab: id === AVAILABLE ? null : id }, how === "key")
          }
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
      {LiveLists && <LiveLists user={user} chosen={chosen} />}
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
        {isPipeline ? (
          <LatePipeline place={place} pipeline={pipeline} plan={plan} user={user} go={go} />
        ) : marketQuery.error && !marketQuery.data ? (
          <LoadFailure error={marketQuery.error} retry={marketQuery.refetch} />
        ) : watched.length === 0 ? (
          <FirstRegions />
        ) : (
          <TakesAtOnce value={payments === "stripe"}>
            <AvailableTab
              market={listed}
              user={user}
              chosen={chosen}
              onChangeRegions={changeRegions}
              onBuy={buy}
              home={home}
              sought={sought}
              onShown={() => setSought(null)}
            />
          </TakesAtOnce>
        )}
      </section>
      {AppHint && isPipeline && place.openId === null && <AppHint user={user} pipeline={pipeline.data} />}
      {FirstRun && <FirstRun user={user} takesCards={payments === "stripe"} />}
      {PullToRefresh && <PullToRefresh watched={watched} />}
      {AfterCall && <AfterCall purchases={pipeline.data?.purchases ?? NO_PURCHASES} />}
      {TeamSection && <TeamSection />}
      {wanted && PurchaseDialog && (
        <PurchaseDialog
          key={wanted.id}
          lead={wanted}
          goneReason={goneReason(market, wanted)}
          user={user}
          payments={payments}
          onClose={() => setWanted(null)}
          onOpenPipeline={(purchaseId) => {
            setWanted(null);
            go({ view: null, tab: "leads", lead: purchaseId });
          }}
        />
      )}
      {picking.Dialog && <picking.Dialog watched={watched} onClose={picking.close} />}
    </div>
  );
}

const tileIdOf = ({ salesStage }: PurchasedLead) =>
  PIPELINE_TILES.find(({ stage }) => stage === salesStage)?.id ?? "leads";

const buyButtonOf = ({ id }: LeadSummary) =>
  document.querySelector<HTMLElement>(`.leads > [data-lead="${CSS.escape(id)}"] .button--main`);

/** Shows the pipeline after its code has loaded. */
function LatePipeline(props: React.ComponentProps<NonNullable<(typeof pipelineView)["component"]>>) {
  const { Part, error, retry } = useLatePart(pipelineView, true);
  if (error) return <LoadFailure error={error} retry={retry} />;
  return (
    <div {...drawnPart("pipeline")}>{Part ? <Part {...props} /> : <p className="rest">Loading…</p>}</div>
  );
}

/** Asks the provider to choose regions before it shows any leads. */
function FirstRegions() {
  const { Part: RegionPicker, error, retry } = useLatePart(regionPicker, true);
  if (error) return <LoadFailure error={error} retry={retry} />;
  return (
    <div className="first" {...drawnPart("regions")}>
      <h3>Where do you work?</h3>
      <p>Choose the regions whose leads you want to see. Change them any time. You can still buy anywhere.</p>
      {RegionPicker && <RegionPicker watched={[]} submitLabel="Show me the leads" />}
    </div>
  );
}
