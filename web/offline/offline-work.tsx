import "../dashboard/dashboard.css";
import "./offline.css";

import { useEffect, useMemo, useState } from "react";

import { PIPELINE_TILES } from "../../contract/stages.ts";
import { AfterCall } from "../dashboard/after-call.tsx";
import { ViewNav } from "../dashboard/view-nav.tsx";
import { useConnectionState } from "../lib/connection.tsx";
import { formatCount } from "../lib/format-count.ts";
import { formatMoment } from "../lib/format-time.ts";
import { keepsAnything } from "../lib/keeps-anything.ts";
import { usePlace } from "../lib/use-place.ts";
import { readPlace } from "../pipeline/pipeline-place.ts";
import { PipelineView } from "../pipeline/pipeline-view.tsx";
import { usePlan } from "../pipeline/plan.ts";
import { useUnkept } from "../purchases/leaving.ts";
import { useRestoredNotes } from "../purchases/notes-desk.tsx";
import { tileCountsOf, usePipeline } from "../purchases/purchases.ts";
import { RefusedChanges } from "../purchases/refused-changes.tsx";
import { useLivePurchases } from "../purchases/use-live-purchases.ts";
import { PANEL_ID, Tabs } from "../ui/tabs.tsx";
import type { KeptPipeline } from "../dashboard/use-kept-pipeline.ts";

/** Providers do not need closed leads offline. */
const TILES = PIPELINE_TILES.filter(({ stage }) => stage !== null);

/** Shows the pipeline stored on this device. Its socket keeps reconnecting, and after that the page is live again. */
export function OfflineWork({ kept }: { kept: KeptPipeline }) {
  const { user, keptAt } = kept;
  const { params, go } = usePlace();
  const place = useMemo(() => {
    const asked = new URLSearchParams(params);
    if (!TILES.some(({ id }) => id === asked.get("tab"))) asked.set("tab", TILES[0]!.id);
    return readPlace(asked);
  }, [params]);
  const pipeline = usePipeline(null);
  useLivePurchases(user);
  useRestoredNotes(pipeline.data !== undefined);
  const plan = usePlan(pipeline.data?.purchases ?? kept.pipeline.purchases);
  const counts = pipeline.data && tileCountsOf(pipeline.data);
  const { view, tile, openId } = place;
  return (
    <div className="dash dashboard" data-covered={openId !== null || undefined}>
      <header className="head">
        <h1>Your leads, offline</h1>
      </header>
      <WhereWeAre keptAt={keptAt} search={params.toString()} />
      <RefusedChanges />
      <ViewNav user={user} current={view} dueCount={plan.due.length} home="/dashboard/offline" />
      <Tabs
        label="Leads by stage"
        tabs={TILES.map(({ id, label, stage }) => ({
          id,
          label,
          count: counts ? formatCount(counts[stage!]) : "–",
        }))}
        current={view === "list" ? tile!.id : null}
        onChoose={(id, how) => go({ view: null, lead: null, tab: id }, how === "key")}
      />
      <section
        role={view === "list" ? "tabpanel" : undefined}
        id={PANEL_ID}
        aria-labelledby={view === "list" ? `tab-${tile!.id}` : "panel-title"}
        className="panel"
      >
        <h2 className="visually-hidden" id="panel-title">
          {tile?.label ?? (view === "board" ? "Board" : "Today")}
        </h2>
        <PipelineView place={place} pipeline={pipeline} plan={plan} user={user} go={go} />
      </section>
      <AfterCall purchases={pipeline.data?.purchases ?? kept.pipeline.purchases} />
    </div>
  );
}

/** The message about changes, by whether the device can store them. */
const CHANGES = {
  kept: "We'll keep anything you change here, and save it as soon as we can.",
  unkept:
    "This device can't keep changes right now. Leave this page open, and we'll save them as soon as we can.",
};

/**
 * Returns whether the device can store changes: the first check and every later save succeeded. Null during the check.
 */
function useKeeping(): boolean | null {
  const isUnkept = useUnkept();
  const [keeps, setKeeps] = useState<boolean | null>(null);
  useEffect(() => {
    void keepsAnything().then(setKeeps);
  }, []);
  return keeps && !isUnkept;
}

/** Shows how old the data is and whether changes are stored. When online again, it links to the dashboard. */
function WhereWeAre({ keptAt, search }: { keptAt: number; search: string }) {
  const isLive = useConnectionState() === "live";
  const isKeeping = useKeeping();
  return (
    <output className="offline-note">
      {isLive ? (
        <>
          You're back online. <a href={`/dashboard${search && `?${search}`}`}>Open your dashboard</a>
        </>
      ) : (
        `We can't reach Naturestrip right now. These are your open leads as of ${formatMoment(keptAt)}. You can still call and get directions. ${isKeeping === null ? "" : CHANGES[isKeeping ? "kept" : "unkept"]}`
      )}
    </output>
  );
}
