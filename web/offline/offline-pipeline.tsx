import { useEffect, useMemo, useState } from "react";

import { PIPELINE_TILES } from "../../contract/stages.ts";
import { AfterCall } from "../dashboard/after-call.tsx";
import { ViewNav } from "../dashboard/view-nav.tsx";
import { useConnectionState } from "../lib/connection.tsx";
import { formatCount } from "../lib/format-count.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { canStoreData } from "../lib/can-store-data.ts";
import { useUrlState } from "../lib/use-url-state.ts";
import { parsePipelineUrl } from "../pipeline/pipeline-url.ts";
import { PipelineView } from "../pipeline/pipeline-view.tsx";
import { usePlan } from "../pipeline/plan.ts";
import { useOutbox } from "../purchases/use-outbox.ts";
import { countByTile } from "../purchases/purchases.ts";
import { usePipeline } from "../purchases/use-pipeline.ts";
import { RefusedChanges } from "../purchases/refused-changes.tsx";
import { useLivePurchases } from "../purchases/use-live-purchases.ts";
import { PANEL_ID, Tabs } from "../ui/tabs.tsx";
import type { StoredPipeline } from "../dashboard/use-store-pipeline.ts";

/** Providers do not need closed leads offline. */
const TILES = PIPELINE_TILES.filter(({ stage }) => stage !== null);

/** Shows the pipeline stored on this device. Its socket keeps reconnecting, and after that the page is live again. */
export function OfflinePipeline({ stored }: { stored: StoredPipeline }) {
  const { storedAt } = stored;
  const { params, go } = useUrlState();
  const urlState = useMemo(() => {
    const asked = new URLSearchParams(params);
    if (!TILES.some(({ id }) => id === asked.get("tab"))) asked.set("tab", TILES[0]!.id);
    return parsePipelineUrl(asked);
  }, [params]);
  const pipeline = usePipeline(null);
  useLivePurchases();
  const plan = usePlan(pipeline.data?.purchases ?? stored.pipeline.purchases);
  const counts = pipeline.data && countByTile(pipeline.data);
  const { view, tile, openId } = urlState;
  return (
    <div className="dash dashboard" data-covered={openId !== null || undefined}>
      <header className="cluster head">
        <h1>Your leads, offline</h1>
      </header>
      <OfflineStatus storedAt={storedAt} search={params.toString()} />
      <RefusedChanges />
      <ViewNav current={view} dueCount={plan.due.length} home="/dashboard/offline" />
      {view === "list" && (
        <Tabs
          label="Leads by stage"
          tabs={TILES.map(({ id, label, stage }) => ({
            id,
            label,
            count: counts ? formatCount(counts[stage!]) : "–",
          }))}
          current={tile!.id}
          onChoose={(id, how) => go({ lead: null, tab: id }, how === "key")}
        />
      )}
      <section
        role={view === "list" ? "tabpanel" : undefined}
        id={PANEL_ID}
        aria-labelledby={view === "list" ? `tab-${tile!.id}` : "panel-title"}
        className="panel"
      >
        <h2 className="visually-hidden" id="panel-title">
          {tile?.label ?? (view === "board" ? "Board" : "Today")}
        </h2>
        <PipelineView urlState={urlState} pipeline={pipeline} plan={plan} go={go} />
      </section>
      <AfterCall purchases={pipeline.data?.purchases ?? stored.pipeline.purchases} />
    </div>
  );
}

/** The message about changes, by whether the device can store them. */
const CHANGES = {
  stored: "We'll save any changes on this device and send them as soon as we can.",
  unstored:
    "This device can't save changes right now. Keep this page open, and we'll send them as soon as we can.",
};

/**
 * Returns whether the device can store changes: the first check and every later save succeeded. Null during the check.
 */
function useCanStoreChanges(): boolean | null {
  const hasUnstored = useOutbox((outbox) => outbox.hasUnstored(), false);
  const [canStore, setCanStore] = useState<boolean | null>(null);
  useEffect(() => {
    void canStoreData().then(setCanStore);
  }, []);
  return canStore && !hasUnstored;
}

/** Opens the requested page once the connection is back, unless the user has already used this page. */
function useReturnWhenOnline(target: string): void {
  const state = useConnectionState();
  const [wasOffline, setWasOffline] = useState(false);
  const [isUsed, setUsed] = useState(false);
  // With bad reception, the browser still says that it is online.
  const isOffline = state === "offline" || state === "reconnecting";
  if (isOffline && !wasOffline) setWasOffline(true);
  useEffect(() => {
    const noteUse = () => setUsed(true);
    addEventListener("pointerdown", noteUse);
    addEventListener("keydown", noteUse);
    return () => {
      removeEventListener("pointerdown", noteUse);
      removeEventListener("keydown", noteUse);
    };
  }, []);
  useEffect(() => {
    if (state === "live" && wasOffline && !isUsed) location.replace(target);
  }, [state, wasOffline, isUsed, target]);
}

/** Shows how old the data is and whether changes are stored. When online again, it links to the dashboard. */
function OfflineStatus({ storedAt, search }: { storedAt: number; search: string }) {
  const isLive = useConnectionState() === "live";
  const canStoreChanges = useCanStoreChanges();
  const target = `/dashboard${search && `?${search}`}`;
  useReturnWhenOnline(target);
  return (
    <output className="offline-note">
      {isLive ? (
        <>
          You're back online. <a href={target}>Open your dashboard</a>
        </>
      ) : (
        `We can't reach Naturestrip right now. These are your open leads as of ${formatDateTime(storedAt)}. You can still call and get directions. ${canStoreChanges === null ? "" : CHANGES[canStoreChanges ? "stored" : "unstored"]}`
      )}
    </output>
  );
}
