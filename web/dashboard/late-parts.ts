import { latePart } from "../lib/late-part.ts";

/* Parts the market's first screen does not need. They load while the page is idle, or on demand. */

export const liveLists = latePart(async () => (await import("./live-lists.tsx")).LiveLists);
export const appHint = latePart(async () => (await import("./first-lead-hint.tsx")).FirstLeadHint);
export const afterCall = latePart(async () => (await import("./after-call.tsx")).AfterCall);
export const firstRun = latePart(async () => (await import("./first-run.tsx")).FirstRun);
export const pullToRefresh = latePart(async () => (await import("./pull-to-refresh.tsx")).PullToRefresh);
export const purchaseDialog = latePart(
  async () => (await import("../payments/purchase-dialog.tsx")).PurchaseDialog,
);
export const paymentReturn = latePart(async () => (await import("./payment-return.tsx")).PaymentReturn);
export const pipelineView = latePart(
  async () => (await import("../pipeline/pipeline-view.tsx")).PipelineView,
);
export const regionPicker = latePart(async () => (await import("../market/region-picker.tsx")).RegionPicker);
export const regionsDialog = latePart(async () => (await import("./regions-dialog.tsx")).RegionsDialog);
export const searchDialog = latePart(async () => (await import("../search/search-dialog.tsx")).SearchDialog);
export const teamSection = latePart(async () => (await import("../team/team-section.tsx")).TeamSection);

/** Parts to load while idle, in order of likely use. */
export const IDLE_PARTS = [liveLists, purchaseDialog, pipelineView, searchDialog, regionsDialog];

/** Parts that the server may render, by their name in the page's markup. */
const DRAWN = { pipeline: pipelineView, regions: regionPicker } as const;

/** Marks a late part's element for `fetchDrawnParts`. */
export const drawnPart = (name: keyof typeof DRAWN) => ({ "data-late": name });

/** Fetches the parts that the server rendered on this page, because hydration needs them. */
export async function fetchDrawnParts(): Promise<void> {
  const names = [...document.querySelectorAll<HTMLElement>("[data-late]")].map(({ dataset }) => dataset.late);
  const parts = names.flatMap((name) => DRAWN[name as keyof typeof DRAWN] ?? []);
  // Ignore a failure: the part then shows an error and a retry button.
  await Promise.allSettled(parts.map((part) => part.fetch()));
}

/** Loads the part that the server is about to render. */
export function fetchForServer(isPipeline: boolean): Promise<unknown> {
  return isPipeline ? pipelineView.fetch() : regionPicker.fetch();
}
