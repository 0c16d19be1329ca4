/**
 * Search, filters and sort orders of a pipeline, shared by the server and the browser. The server returns the first
 * page for the URL. The browser takes over once it has loaded all purchases.
 */
import { SALES_STAGES, parseStage, type SalesStage } from "./stages.ts";

/** Tile of a purchase: its stage while open, `final` once closed or archived. */
export const PIPELINE_TILE_KEYS = [...SALES_STAGES, "final"] as const;
export type PipelineTileKey = SalesStage | "final";

export const PIPELINE_SORTS = ["newest", "oldest", "next", "updated"] as const;
export type PipelineSort = (typeof PIPELINE_SORTS)[number];

export const SORT_LABELS: Record<PipelineSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  next: "Next action first",
  updated: "Recently changed first",
};

/** Later than any date: the sort key of purchases without a next action. */
export const MAX_DATE_MS = 8_640_000_000_000_000;

/** Age of the request. */
export const PIPELINE_AGES = ["day", "week", "month", "older"] as const;
export type PipelineAge = (typeof PIPELINE_AGES)[number];

export const AGE_LABELS: Record<PipelineAge, string> = {
  day: "Under 24 hours",
  week: "Under 7 days",
  month: "Under 30 days",
  older: "30 days and older",
};

/** Fields of a purchase that the filter uses, on the server and in the browser. */
export type Filterable = {
  id: string;
  salesStage: string;
  isArchived: boolean;
  finalisedAt: number | null;
  purchasedAt: number;
  updatedAt: number;
  nextActionAt: number | null;
  nextActionNote: string | null;
  assignedTo: string | null;
  leadCreatedAt: number;
  customerName: string;
  customerPhone: string;
  customerEmail: string | null;
  customerAddress: string | null;
  suburbName: string | null;
  suburbPostcode: string | null;
  serviceType: readonly string[];
  salesNotes: string | null;
  specificRequests: string | null;
};

/**
 * Returns whether a purchase is closed. Closed purchases are shown under Final, whatever their stage, and are read
 * only.
 */
export function isFinal(purchase: Pick<Filterable, "isArchived" | "finalisedAt">): boolean {
  return purchase.isArchived || purchase.finalisedAt !== null;
}

export function getTile(
  purchase: Pick<Filterable, "salesStage" | "isArchived" | "finalisedAt">,
): PipelineTileKey {
  return isFinal(purchase) ? "final" : parseStage(purchase.salesStage);
}

const byId = (a: Filterable, b: Filterable) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const getNextActionAt = (purchase: Filterable) => purchase.nextActionAt ?? Number.POSITIVE_INFINITY;

const COMPARATORS: Record<PipelineSort, (a: Filterable, b: Filterable) => number> = {
  newest: (a, b) => b.purchasedAt - a.purchasedAt || byId(b, a),
  oldest: (a, b) => a.purchasedAt - b.purchasedAt || byId(a, b),
  updated: (a, b) => b.updatedAt - a.updatedAt || byId(b, a),
  next: (a, b) =>
    getNextActionAt(a) === getNextActionAt(b) ? byId(a, b) : getNextActionAt(a) - getNextActionAt(b),
};

/** Returns the comparator of a sort order. */
export function comparePurchases(sort: PipelineSort): (a: Filterable, b: Filterable) => number {
  return COMPARATORS[sort];
}

export type TileCounts = Record<PipelineTileKey, number>;
