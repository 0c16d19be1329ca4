import type { LeadSummary } from "../../contract/leads.ts";
import { type PipelineTileKey, getTile } from "../../contract/pipeline.ts";
import { matchesSearch } from "../../contract/pipeline-filter.ts";
import { regionName } from "../../contract/regions.ts";
import { PIPELINE_TILES } from "../../contract/stages.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";

/** Maximum results per group. Users type more letters to narrow them. */
const PER_GROUP = 8;

/** The matches under one tile. */
export type ResultGroup<T> = { label: string; tab: string; count: number; items: readonly T[] };

const group = <T>(label: string, tab: string, all: readonly T[]): ResultGroup<T> => ({
  label,
  tab,
  count: all.length,
  items: all.slice(0, PER_GROUP),
});

/** Searches leads for sale by the details that buyers can see before they pay. */
export function findLeads(leads: readonly LeadSummary[], q: string): ResultGroup<LeadSummary> {
  const found = leads.filter((lead) =>
    matchesSearch(
      {
        ...lead,
        salesStage: "",
        isArchived: false,
        finalisedAt: null,
        purchasedAt: 0,
        updatedAt: 0,
        nextActionAt: null,
        nextActionNote: regionName(lead.region),
        assignedTo: null,
        leadCreatedAt: lead.createdAt,
        salesNotes: null,
      },
      q,
    ),
  );
  return group("Available", "available", found);
}

/**
 * Searches purchases of every stage, in the order of the tiles. Closed and archived purchases come just before declined
 * ones, which are last.
 */
export function findPurchases(
  purchases: readonly PurchasedLead[],
  q: string,
): readonly ResultGroup<PurchasedLead>[] {
  const byTile = new Map<PipelineTileKey, PurchasedLead[]>();
  for (const purchase of purchases) {
    if (!matchesSearch(purchase, q)) continue;
    const tile = getTile(purchase);
    byTile.set(tile, [...(byTile.get(tile) ?? []), purchase]);
  }
  return PIPELINE_TILES.flatMap(({ id, label, stage }) => {
    const all = byTile.get(stage ?? "final");
    return all ? group(label, id, all) : [];
  });
}
