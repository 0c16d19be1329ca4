import {
  NO_DATE,
  PIPELINE_TILE_KEYS,
  type PipelineFilter,
  type PipelineSort,
  type PipelineTileKey,
  type TileCounts,
} from "../../contract/pipeline.ts";
import { matchesFilter, type Reader } from "../../contract/pipeline-filter.ts";
import type { PurchasedLead } from "../selling/purchases/views.ts";

/** How many rows a call may look through for those a filter asks for. */
export const SCAN_ROWS = 500;

/**
 * How a page is read: how many rows from the index, and whether the tile's own index serves.
 * @param hasUnknown whether purchases stand on a stage that no list knows; they show under accepted_lead,
 *   whose index lacks them
 */
export function planPage(
  filter: PipelineFilter,
  limit: number,
  hasUnknown: boolean,
): { tile: PipelineTileKey | null; rows: number } {
  const isByPurchase = filter.sort === "newest" || filter.sort === "oldest";
  const isIndexed = isByPurchase && !(hasUnknown && filter.tile === "accepted_lead");
  const tile = isIndexed ? (filter.tile ?? null) : null;
  const isSifted =
    Boolean(filter.q || filter.service || filter.suburb || filter.age || filter.mine) ||
    (filter.tile && !isIndexed);
  return { tile, rows: isSifted ? SCAN_ROWS : limit };
}

/** The value a purchase is sorted by. */
export function sortValue(purchase: PurchasedLead, sort: PipelineSort): number {
  if (sort === "updated") return purchase.updatedAt;
  if (sort === "next") return purchase.nextActionAt ?? NO_DATE;
  return purchase.purchasedAt;
}

/**
 * The page within a stretch of the pipeline.
 * @param scanned what the index gave, at most `rows` of it
 * @returns what the filter asks for, at most `limit`, and the purchase the next page starts behind; null
 *   when the pipeline has been read to its end
 */
export function siftPage(
  scanned: readonly PurchasedLead[],
  filter: PipelineFilter,
  page: { rows: number; limit: number } & Reader,
): { items: PurchasedLead[]; last: PurchasedLead | null } {
  const matching = scanned.filter((purchase) => matchesFilter(purchase, filter, page));
  const items = matching.slice(0, page.limit);
  if (items.length === page.limit) return { items, last: items.at(-1) ?? null };
  return { items, last: scanned.length === page.rows ? (scanned.at(-1) ?? null) : null };
}

type Counted = readonly { tile: string; purchases: number }[];

const isTile = (tile: string): tile is PipelineTileKey =>
  (PIPELINE_TILE_KEYS as readonly string[]).includes(tile);

/** Whether purchases stand on a stage that no list knows, such as one of a release that was rolled back. */
export function hasUnknownStage(counted: Counted): boolean {
  return counted.some(({ tile, purchases }) => purchases > 0 && !isTile(tile));
}

/** Counts with a figure for every tile; what stands on an unknown stage counts under accepted_lead. */
export function toCounts(counted: Counted): TileCounts {
  const counts = Object.fromEntries(PIPELINE_TILE_KEYS.map((tile) => [tile, 0])) as TileCounts;
  for (const { tile, purchases } of counted) counts[isTile(tile) ? tile : "accepted_lead"] += purchases;
  return counts;
}
