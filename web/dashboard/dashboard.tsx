import "./dashboard.css";

import { useCallback, useMemo, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import { useKeptPipeline } from "./use-kept-pipeline.ts";
import { PurchaseDialog } from "../payments/purchase-dialog.tsx";
import { usePaymentReturn } from "../payments/use-payment-return.ts";
import { readPlace } from "../pipeline/pipeline-place.ts";
import { PipelineView } from "../pipeline/pipeline-view.tsx";
import { usePlan } from "../pipeline/today-list.tsx";
import { ViewNav } from "./view-nav.tsx";
import { CallFollowUp } from "../purchases/call-question.tsx";
import { useCallReturn } from "../purchases/use-call.ts";
import { useRestoredNotes } from "../purchases/notes-desk.tsx";
import { countTiles, type PipelinePage, type PurchasedLead, usePipeline } from "../purchases/purchases.ts";
import { useLivePurchases } from "../purchases/use-live-purchases.ts";
import { SearchButton } from "../search/search-button.tsx";
import { TeamSection } from "../team/team-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PANEL_ID, Tabs } from "../ui/tabs.tsx";
import { AvailableTab } from "../market/available-tab.tsx";
import { DashboardHead } from "./dashboard-head.tsx";
import { formatCount } from "../lib/format-count.ts";
import { usePlace } from "../lib/use-place.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { goneReason, listMarket, type Market } from "../market/market.ts";
import type { LeadPage } from "../market/market-store.ts";
import { useSharedHolds } from "../market/own-holds.ts";
import { RegionPicker } from "../market/region-picker.tsx";
import { useLiveMarket, useMarket } from "../market/use-market.ts";
import { useLinkedLead } from "../market/use-linked-lead.ts";

const AVAILABLE = "available";
const NO_MARKET: Market = {};
const NO_PURCHASES: readonly PurchasedLead[] = [];
const VIEW_TITLES = { list: "Available", board: "Board", today: "Today" } as const;

/** The dashboard of a provider or a team member: the market, and what was bought on it. */
export function Dashboard({
  user,
  payments,
  firstLeads,
  firstPurchases,
}: {
  user: CurrentUser;
  payments: "stripe" | "direct";
  firstLeads: LeadPage | null;
  firstPurchases: PipelinePage | null;
}) {
  const { params, go } = usePlace();
  const place = useMemo(() => readPlace(params), [params]);
  const { view, tile } = place;
  const region = params.get("region");
  const watched = user.watchedRegions;
  const chosen = region !== null && watched.includes(region) ? region : null;
  const marketQuery = useMarket(watched, firstLeads);
  const pipeline = usePipeline(firstPurchases);
  const news = useLiveMarket({ watched, chosen, seesEverything: user.isSuperAdmin });
  useLivePurchases(user);
  useRestoredNotes(pipeline.data?.isComplete === true);
  useKeptPipeline(user);
  usePaymentReturn();
  useSharedHolds();
  useCallReturn();

  const [wanted, setWanted] = useState<LeadSummary | null>(null);
  const [isPicking, setPicking] = useState(false);
  /** A lead for sale that was searched for. */
  const [sought, setSought] = useState<string | null>(null);

  const market = marketQuery.data ?? NO_MARKET;
  const onSale = marketQuery.data && watched.length > 0 ? listMarket(market, watched).leads : null;
  const forgetLinked = useCallback(() => go({ lead: null }, true), [go]);
  useLinkedLead(view === "list" && !tile ? params.get("lead") : null, onSale, forgetLinked);
  const plan = usePlan(pipeline.data?.purchases ?? NO_PURCHASES);
  const tabs = useMemo(() => {
    const isKnown = marketQuery.data !== undefined && watched.length > 0;
    const counts = pipeline.data && countTiles(pipeline.data);
    return [
      { id: AVAILABLE, label: "Available", count: isKnown ? listMarket(market, watched).count : "–" },
      ...PIPELINE_TILES.map(({ id, label, stage }) => ({
        id,
        label,
        count: counts ? formatCount(counts[stage ?? "final"]) : "–",
      })),
    ];
  }, [market, marketQuery.data, watched, pipeline.data]);

  const tab = view === "list" ? (tile?.id ?? AVAILABLE) : null;
  const isPipeline = tab !== AVAILABLE;
  return (
    <div className="dash dashboard" data-covered={(isPipeline && place.openId !== null) || undefined}>
      <DashboardHead
        user={user}
        refetchPurchases={pipeline.refetch}
        search={
          <SearchButton
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
      <Tabs
        label="Leads by stage"
        tabs={tabs}
        current={tab}
        onChoose={(id, how) =>
          go({ view: null, lead: null, tab: id === AVAILABLE ? null : id }, how === "key")
        }
      />
      <output className="visually-hidden">{news}</output>
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
          <PipelineView place={place} pipeline={pipeline} plan={plan} user={user} go={go} />
        ) : marketQuery.error && !marketQuery.data ? (
          <LoadFailure error={marketQuery.error} retry={marketQuery.refetch} />
        ) : watched.length === 0 ? (
          <FirstRegions />
        ) : (
          <AvailableTab
            market={market}
            user={user}
            chosen={chosen}
            onChoose={(slug) => go({ region: slug }, true)}
            onChangeRegions={() => setPicking(true)}
            onBuy={setWanted}
            sought={sought}
            onShown={() => setSought(null)}
          />
        )}
      </section>
      <CallFollowUp purchases={pipeline.data?.purchases ?? NO_PURCHASES} />
      {user.userType === "provider" && <TeamSection />}
      {wanted && (
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
      {isPicking && (
        <Dialog title="Regions you watch" onClose={() => setPicking(false)}>
          <RegionPicker watched={watched} submitLabel="Save" onSaved={() => setPicking(false)} />
        </Dialog>
      )}
    </div>
  );
}

/** Asked once, before the first lead is shown. */
function FirstRegions() {
  return (
    <div className="first">
      <h3>Where do you work?</h3>
      <p>
        Choose the regions whose leads you want to see. You can change them at any time, and they never limit
        what you may buy.
      </p>
      <RegionPicker watched={[]} submitLabel="Show me the leads" />
    </div>
  );
}
