import {
  MAX_DATE_MS,
  PIPELINE_TILE_KEYS,
  type PipelineSort,
  type PipelineTileKey,
  type TileCounts,
} from "../../contract/pipeline.ts";
import type { PipelineFilter } from "../../contract/pipeline-queries.ts";
import { matchesFilter, type FilterContext } from "../../contract/pipeline-filter.ts";
import type { PurchasedLeadView } from "../selling/purchases/views.ts";

/** Maximum rows that a call may scan for a filter. */
export const SCAN_ROWS = 500;

/**
 * Plans a page: how many rows to read, and whether to use the tile's own index.
 * @param hasUnknown whether any purchases are in an unknown stage. Such purchases show under accepted_lead, but are not
 *   in its index
 */
export function planPage(
  filter: PipelineFilter,
  limit: number,
  hasUnknown: boolean,
): { tile: PipelineTileKey | null; rows: number } {
  const isByPurchase = filter.sort === "newest" || filter.sort === "oldest";
  const isIndexed = isByPurchase && !(hasUnknown && filter.tile === "accepted_lead");
  const tile = isIndexed ? (filter.tile ?? null) : null;
  const isFiltered =
    Boolean(filter.q || filter.service || filter.suburb || filter.age || filter.mine) ||
    (filter.tile && !isIndexed);
  return { tile, rows: isFiltered ? SCAN_ROWS : limit };
}

export function sortValue(purchase: PurchasedLeadView, sort: PipelineSort): number {
  if (sort === "updated") return purchase.updatedAt;
  if (sort === "next") return purchase.nextActionAt ?? MAX_DATE_MS;
  return purchase.purchasedAt;
}

/**
 * Filters a page from a scanned part of the pipeline.
 * @param scanned rows from the index, at most `rows`
 * @returns at most `limit` matching purchases, and the last purchase before the next page; null at the pipeline's end
 */
export function filterPage(
  scanned: readonly PurchasedLeadView[],
  filter: PipelineFilter,
  page: { rows: number; limit: number } & FilterContext,
): { items: PurchasedLeadView[]; last: PurchasedLeadView | null } {
  const matching = scanned.filter((purchase) => matchesFilter(purchase, filter, page));
  const items = matching.slice(0, page.limit);
  if (items.length === page.limit) return { items, last: items.at(-1) ?? null };
  return { items, last: scanned.length === page.rows ? (scanned.at(-1) ?? null) : null };
}

type Counted = readonly { tile: string; purchases: number }[];

const isTile = (tile: string): tile is PipelineTileKey =>
  (PIPELINE_TILE_KEYS as readonly string[]).includes(tile);

/** Returns whether any purchases are in an unknown stage, such as a stage from a rolled-back release. */
export function hasUnknownStage(counted: Counted): boolean {
  return counted.some(({ tile, purchases }) => purchases > 0 && !isTile(tile));
}

/** Returns a count for every tile. Purchases in an unknown stage count under accepted_lead. */
export function toCounts(counted: Counted): TileCounts {
  const counts = Object.fromEntries(PIPELINE_TILE_KEYS.map((tile) => [tile, 0])) as TileCounts;
  for (const { tile, purchases } of counted) counts[isTile(tile) ? tile : "accepted_lead"] += purchases;
  return counts;
}
