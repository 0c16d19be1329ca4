import { createLazyPart } from "../lib/lazy-part.ts";

/* Parts the market's first screen does not need. They load while the page is idle, or on demand. */

export const liveLists = createLazyPart(async () => (await import("./live-lists.tsx")).LiveLists);
export const afterCall = createLazyPart(async () => (await import("./after-call.tsx")).AfterCall);
export const firstRun = createLazyPart(async () => (await import("./set-up-checklist.tsx")).SetUpChecklist);
export const checkNotice = createLazyPart(
  async () => (await import("../checks/check-notice.tsx")).CheckNotice,
);
export const offeredLeads = createLazyPart(
  async () => (await import("../market/offered-leads.tsx")).OfferedLeads,
);
export const purchaseDialog = createLazyPart(
  async () => (await import("../payments/purchase-dialog.tsx")).PurchaseDialog,
);
export const paymentReturn = createLazyPart(async () => (await import("./payment-return.tsx")).PaymentReturn);
export const pipelineView = createLazyPart(
  async () => (await import("../pipeline/pipeline-view.tsx")).PipelineView,
);
export const regionPicker = createLazyPart(
  async () => (await import("../market/region-picker.tsx")).RegionPicker,
);
export const regionsDialog = createLazyPart(async () => (await import("./regions-dialog.tsx")).RegionsDialog);
export const searchDialog = createLazyPart(
  async () => (await import("../search/search-dialog.tsx")).SearchDialog,
);
export const teamSection = createLazyPart(async () => (await import("../team/team-section.tsx")).TeamSection);

/** Parts to load while idle, in order of likely use. */
export const IDLE_PARTS = [liveLists, purchaseDialog, pipelineView, searchDialog, regionsDialog];

/** Parts that the server may render, by their name in the page's markup. */
const SERVER_RENDERED = { pipeline: pipelineView, regions: regionPicker } as const;

/** Marks a late part's element for `fetchServerRenderedParts`. */
export const serverRenderedProps = (name: keyof typeof SERVER_RENDERED) => ({ "data-late": name });

/** Fetches the parts that the server rendered on this page, because hydration needs them. */
export async function fetchServerRenderedParts(): Promise<void> {
  const names = [...document.querySelectorAll<HTMLElement>("[data-late]")].map(({ dataset }) => dataset.late);
  const parts = names.flatMap((name) => SERVER_RENDERED[name as keyof typeof SERVER_RENDERED] ?? []);
  // Ignore a failure: the part then shows an error and a retry button.
  await Promise.allSettled(parts.map((part) => part.fetch()));
}

/** Loads the part that the server is about to render. */
export function loadForServerRender(isPipeline: boolean): Promise<unknown> {
  return isPipeline ? pipelineView.fetch() : regionPicker.fetch();
}
