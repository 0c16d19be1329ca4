import { useMemo, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { PIPELINE_TILES } from "../../contract/purchases.ts";
import { messageOf } from "../lib/api.ts";
import { PipelineTab } from "../purchases/pipeline-tab.tsx";
import { type PurchasedLead, purchasesOf, usePurchases } from "../purchases/purchases.ts";
import { useLivePurchases } from "../purchases/use-live-purchases.ts";
import { TeamSection } from "../team/team-button.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PANEL_ID, Tabs } from "../ui/tabs.tsx";
import { AvailableTab } from "./available-tab.tsx";
import { DashboardHead } from "./dashboard-head.tsx";
import { usePlace } from "./dashboard-place.ts";
import { goneReason, listMarket, type Market } from "./market.ts";
import type { LeadPage } from "./market-store.ts";
import { PurchaseDialog } from "./purchase-dialog.tsx";
import { RegionPicker } from "./region-picker.tsx";
import { useLiveMarket, useMarket } from "./use-market.ts";

const AVAILABLE = "available";
const NO_MARKET: Market = {};

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
  firstPurchases: PurchasedLead[] | null;
}) {
  const { params, go } = usePlace();
  const tile = PIPELINE_TILES.find(({ id }) => id === params.get("tab")) ?? null;
  const region = params.get("region");
  const watched = user.watchedRegions;
  const chosen = region !== null && watched.includes(region) ? region : null;
  const marketQuery = useMarket(watched, firstLeads);
  const purchasesQuery = usePurchases(firstPurchases);
  const news = useLiveMarket({ watched, chosen, seesEverything: user.isSuperAdmin });
  useLivePurchases(user.id);

  const [wanted, setWanted] = useState<LeadSummary | null>(null);
  const [isPicking, setPicking] = useState(false);
  const [highlighted, setHighlighted] = useState<string | null>(null);

  const market = marketQuery.data ?? NO_MARKET;
  const purchases = purchasesQuery.data;
  const tabs = useMemo(() => {
    const isKnown = marketQuery.data !== undefined && watched.length > 0;
    return [
      { id: AVAILABLE, label: "Available", count: isKnown ? listMarket(market, watched).count : "–" },
      ...PIPELINE_TILES.map((tile) => ({
        id: tile.id,
        label: tile.label,
        count: purchases ? String(purchasesOf(tile, purchases).length) : "–",
      })),
    ];
  }, [market, marketQuery.data, watched, purchases]);

  const failed = tile ? purchasesQuery.error : marketQuery.error;
  const retry = tile ? purchasesQuery.refetch : marketQuery.refetch;
  return (
    <>
      <DashboardHead user={user} refetchPurchases={purchasesQuery.refetch} />
      <Tabs
        label="Leads by stage"
        tabs={tabs}
        current={tile?.id ?? AVAILABLE}
        onChoose={(id, how) => {
          setHighlighted(null);
          go({ tab: id === AVAILABLE ? null : id }, how === "key");
        }}
      />
      <output className="visually-hidden">{news}</output>
      <section
        role="tabpanel"
        id={PANEL_ID}
        aria-labelledby={`tab-${tile?.id ?? AVAILABLE}`}
        className="panel"
      >
        <h2 className="visually-hidden">{tile?.label ?? "Available"}</h2>
        {failed ? (
          <div className="empty" role="alert">
            <p>
              <strong>This list did not load.</strong> {messageOf(failed, "Please check your connection.")}
            </p>
            <Button look="quiet" onClick={() => void retry()}>
              Try again
            </Button>
          </div>
        ) : tile ? (
          <PipelineTab tile={tile} purchases={purchases ?? []} highlighted={highlighted} />
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
          />
        )}
      </section>
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
            setHighlighted(purchaseId);
            go({ tab: "leads" });
          }}
        />
      )}
      {isPicking && (
        <Dialog title="Regions you watch" onClose={() => setPicking(false)}>
          <RegionPicker watched={watched} submitLabel="Save" onSaved={() => setPicking(false)} />
        </Dialog>
      )}
    </>
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
