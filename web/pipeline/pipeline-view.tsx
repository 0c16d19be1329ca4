import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";

import { isFinal, comparePurchases } from "../../contract/pipeline.ts";
import type { PipelineFilter } from "../../contract/pipeline-queries.ts";
import { matchesFilter } from "../../contract/pipeline-filter.ts";
import { useUser } from "../auth/current-user.ts";
import type { UrlChange } from "../lib/use-url-state.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { useClock } from "../lib/clock.tsx";
import { useConnectionState } from "../lib/connection.tsx";
import { PurchaseDetail } from "../purchases/purchase-detail.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import type { usePipeline } from "../purchases/use-pipeline.ts";
import { usePurchaseChange } from "../purchases/use-purchase-change.ts";
import { Board } from "./board.tsx";
import { STAGES } from "../../contract/stages.ts";
import { FilterBar } from "./filter-bar.tsx";
import { PipelineList } from "./lead-list.tsx";
import { hasActiveFilter, type PipelineUrlState } from "./pipeline-url.ts";
import { MAX_PICKED, StageMoves } from "./stage-moves.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import type { usePlan } from "./plan.ts";
import { TodayList } from "./today-list.tsx";
import { useSearch } from "../lib/use-search.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const NO_PURCHASES: readonly PurchasedLead[] = [];

/** Returns the purchases that match a filter, in the filter's order. */
function useFiltered(purchases: readonly PurchasedLead[], filter: PipelineFilter, userId: string) {
  const { now } = useClock();
  return useMemo(() => {
    const found = purchases.filter((purchase) => matchesFilter(purchase, filter, { now, userId }));
    return found.toSorted(comparePurchases(filter.sort));
  }, [purchases, filter, now, userId]);
}

/** Returns a function that builds the URL of a lead's details beside the current list. */
function useHref() {
  const [params] = useSearchParams();
  const queryString = params.toString();
  return useCallback(
    (id: string) => {
      const next = new URLSearchParams(queryString);
      next.set("lead", id);
      return `?${next}`;
    },
    [queryString],
  );
}

/** Moves the focus back to the lead's row or card after its details close. */
function useRestoreFocus(openId: string | null) {
  const last = useRef(openId);
  useEffect(() => {
    const closed = last.current;
    last.current = openId;
    if (closed === null || openId !== null) return;
    document.querySelector<HTMLElement>(`[data-lead="${closed}"]`)?.focus({ preventScroll: true });
  }, [openId]);
}

/** Shows that the rest of the pipeline is loading or has failed to load. */
function RestLoadState({ pipeline: { rest, retryRest } }: { pipeline: ReturnType<typeof usePipeline> }) {
  if (rest === null) return null;
  if (rest === "loading") return <p className="rest">Loading the rest of your pipeline…</p>;
  return (
    <p className="rest" role="alert">
      The rest of your pipeline didn't load.{" "}
      <button type="button" className="link-button" onClick={retryRest}>
        Try again
      </button>
    </p>
  );
}

/**
 * Shows the bought leads: one stage as a list, all stages as a board, or the leads due. The open lead is beside them.
 */
export function PipelineView({
  urlState,
  pipeline,
  plan,
  go,
}: {
  urlState: PipelineUrlState;
  pipeline: ReturnType<typeof usePipeline>;
  plan: ReturnType<typeof usePlan>;
  go: (change: UrlChange, shouldReplace?: boolean) => void;
}) {
  const user = useUser();
  const { view, filter, openId } = urlState;
  const purchases = pipeline.data?.purchases ?? NO_PURCHASES;
  // The field updates immediately. The list updates when React has time, and the URL when typing stops.
  const [search, type] = useSearch(filter.q, go);
  const wanted = useDeferredValue(search.trim());
  const activeFilter = useMemo(() => ({ ...filter, q: wanted || undefined }), [filter, wanted]);
  const shown = useFiltered(purchases, activeFilter, user.id);
  const hrefOf = useHref();
  const open = openId === null ? undefined : purchases.find(({ id }) => id === openId);
  const { change } = usePurchaseChange(openId ?? "");
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  // Adds a lead to the selection, or removes it.
  const togglePicked = useCallback(
    (id: string) =>
      setPicked(
        (ids) => ids && new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]),
      ),
    [],
  );
  // The server refuses an impersonating admin's moves.
  const canMove = !user.isImpersonating;
  const canPick = canMove && view === "list" && filter.tile !== "final" && shown.length > 1;
  const isPicking = canPick && picked !== null;
  const isOffline = useConnectionState() === "offline";
  useRestoreFocus(openId);
  const close = () => go({ lead: null }, true);
  const listed = view === "today" ? [...plan.due, ...plan.soon] : shown;
  useShortcuts({
    open: (step) => {
      const at = listed.findIndex(({ id }) => id === openId);
      const next = listed[at < 0 ? 0 : at + step];
      if (next) go({ lead: next.id }, openId !== null);
    },
    close: () => open && close(),
    move: (salesStage) =>
      canMove && open && !isFinal(open) && salesStage !== open.salesStage && void change({ salesStage }),
    show: (next) => go({ view: next === "list" ? null : next, tab: next === "list" ? "leads" : null }),
    help: () => setHelpOpen(true),
  });

  if (pipeline.error && !pipeline.data) {
    return <LoadFailure error={pipeline.error} retry={pipeline.refetch} />;
  }
  return (
    <div className="stack gap-4 work" data-view={view} data-open={open ? true : undefined}>
      <div className="work__list">
        {view !== "today" && (
          <FilterBar
            filter={filter}
            purchases={purchases}
            search={search}
            onSearch={type}
            go={go}
            onHelp={() => setHelpOpen(true)}
            canExport={user.userType === "provider" && !isOffline}
            onPick={canPick ? () => setPicked(new Set()) : undefined}
          />
        )}
        {isPicking && (
          <StageMoves
            chosen={shown.filter(({ id }) => picked.has(id)).slice(0, MAX_PICKED)}
            onSelectAll={() => setPicked(new Set(shown.slice(0, MAX_PICKED).map(({ id }) => id)))}
            onDone={() => setPicked(null)}
          />
        )}
        <RestLoadState pipeline={pipeline} />
        {view === "today" ? (
          <TodayList plan={plan} openId={openId} hrefOf={hrefOf} />
        ) : view === "board" ? (
          <Board purchases={shown} openId={openId} hrefOf={hrefOf} />
        ) : shown.length > 0 ? (
          <PipelineList
            key={filter.tile}
            purchases={shown}
            openId={openId}
            hrefOf={hrefOf}
            picked={isPicking ? picked : null}
            onPick={togglePicked}
          />
        ) : (
          pipeline.rest === null && (
            <p className="empty">
              {hasActiveFilter(activeFilter)
                ? "No matches. Try fewer words or another filter."
                : (urlState.tile?.emptyText ?? STAGES.accepted_lead.emptyText)}
            </p>
          )
        )}
      </div>
      {open && <PurchaseDetail key={open.id} purchase={open} onClose={close} />}
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
    </div>
  );
}
