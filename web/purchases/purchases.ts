import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { useCallback, useEffect, useState } from "react";

import { PIPELINE_TILE_KEYS, type TileCounts, getTile } from "../../contract/pipeline.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { reload } from "../lib/query-client.ts";

/** A bought lead with the customer's full details. */
export type PurchasedLead = InferResponseType<ApiClient["api"]["my-purchased-leads"]["$get"], 200>[number];

/** One page of GET /api/pipeline. */
export type PipelinePage = InferResponseType<ApiClient["api"]["pipeline"]["$get"], 200>;

/**
 * The business's pipeline as loaded in this window. The first page arrives first and the other purchases follow. After
 * that the window searches, sorts and counts without requests.
 */
export type Pipeline = {
  purchases: readonly PurchasedLead[];
  isComplete: boolean;
  /** The server's counts, used until all purchases are loaded. */
  counts: TileCounts;
  /** Server time of the oldest response used here. Changes since then may be missing. */
  syncedAt: number;
};

export const PURCHASES_KEY = ["purchases"] as const;

export const purchaseKey = (id: string) => ["purchase", id] as const;

const PAGE = "500";

/** Builds the pipeline from the loader's first page. */
export function buildPipeline(page: PipelinePage): Pipeline {
  const total = Object.values(page.counts).reduce((sum, count) => sum + count, 0);
  return {
    purchases: page.items,
    isComplete: page.items.length >= total,
    counts: page.counts,
    syncedAt: page.serverNow,
  };
}

/** Merges two lists. For a purchase in both lists, the version updated last wins. */
function merge(known: readonly PurchasedLead[], received: readonly PurchasedLead[]): PurchasedLead[] {
  const byId = new Map(known.map((purchase) => [purchase.id, purchase]));
  for (const purchase of received) {
    const current = byId.get(purchase.id);
    if (!current || current.updatedAt <= purchase.updatedAt) byId.set(purchase.id, purchase);
  }
  return [...byId.values()];
}

export function updatePipeline(client: QueryClient, change: (pipeline: Pipeline) => Pipeline) {
  client.setQueryData<Pipeline>(PURCHASES_KEY, (pipeline) => pipeline && change(pipeline));
}

export function storePurchases(
  client: QueryClient,
  received: readonly PurchasedLead[],
  more: Partial<Pipeline> = {},
) {
  updatePipeline(client, (pipeline) => ({
    ...pipeline,
    ...more,
    purchases: merge(pipeline.purchases, received),
  }));
}

async function fetchPage(cursor: string | undefined): Promise<PipelinePage> {
  return unwrap(browserApi().api.pipeline.$get({ query: { limit: PAGE, ...(cursor && { cursor }) } }));
}

/** Purchases made in this window. They may not be in D1's pipeline table yet. */
const BOUGHT_KEY = ["bought-here"] as const;

async function fetchPipeline(client: QueryClient): Promise<Pipeline> {
  const pages: PipelinePage[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await fetchPage(cursor ?? undefined);
    pages.push(page);
    cursor = page.cursor;
  } while (cursor);
  const [first] = pages;
  const bought = client.getQueryData<PurchasedLead[]>(BOUGHT_KEY) ?? [];
  return {
    purchases: merge(
      bought,
      pages.flatMap(({ items }) => items),
    ),
    isComplete: true,
    counts: first!.counts,
    syncedAt: first!.serverNow,
  };
}

/** Loads the whole pipeline after its first page. Each page appears as it arrives. */
async function loadRest(client: QueryClient, isWanted: () => boolean): Promise<void> {
  let cursor: string | null | undefined;
  do {
    const page = await fetchPage(cursor ?? undefined);
    if (!isWanted()) return;
    cursor = page.cursor;
    storePurchases(client, page.items, { counts: page.counts, isComplete: !cursor });
  } while (cursor);
}

/** Returns the server's pipeline, starting with the loader's page. `rest` is the state of loading the other pages. */
export function useServerPipeline(firstPage: PipelinePage | null) {
  const query = useQuery({
    queryKey: PURCHASES_KEY,
    queryFn: ({ client }) => fetchPipeline(client),
    initialData: firstPage ? buildPipeline(firstPage) : undefined,
  });
  const [rest, setRest] = useState<"loading" | "failed">("loading");
  const isPartial = query.data?.isComplete === false;
  const { refetch } = query;
  const retry = useCallback(() => {
    setRest("loading");
    void refetch().then(({ error }) => error && setRest("failed"));
  }, [refetch]);
  const client = useQueryClient();
  useEffect(() => {
    if (!isPartial) return;
    let isWanted = true;
    loadRest(client, () => isWanted).catch(() => isWanted && setRest("failed"));
    return () => {
      isWanted = false;
    };
  }, [client, isPartial]);
  return { ...query, rest: isPartial ? rest : null, retryRest: retry };
}

export function removePurchases(client: QueryClient, ids: readonly string[]) {
  if (ids.length === 0) return;
  updatePipeline(client, (pipeline) => ({
    ...pipeline,
    purchases: pipeline.purchases.filter(({ id }) => !ids.includes(id)),
  }));
}

/** Updates one purchase from the server's response. */
export function editPurchase(
  client: QueryClient,
  id: string,
  change: (purchase: PurchasedLead) => PurchasedLead,
) {
  updatePipeline(client, (pipeline) => ({
    ...pipeline,
    purchases: pipeline.purchases.map((purchase) => (purchase.id === id ? change(purchase) : purchase)),
  }));
}

/**
 * Applies the saved fields of a change, except the notes. Notes synchronise separately.
 * @returns when the lead's history has been loaded again
 */
export function applySavedFields(
  client: QueryClient,
  id: string,
  saved: Partial<PurchasedLead>,
): Promise<void> {
  editPurchase(client, id, (current) => ({
    ...current,
    ...saved,
    salesNotes: current.salesNotes,
    notesVersion: current.notesVersion,
  }));
  return reload(client, purchaseKey(id));
}

/** Adds a new purchase to the pipeline, unless it is already there. */
export function addPurchase(client: QueryClient, purchase: PurchasedLead) {
  client.setQueryData<PurchasedLead[]>(BOUGHT_KEY, (bought = []) => [...bought, purchase]);
  updatePipeline(client, (pipeline) =>
    pipeline.purchases.some(({ id }) => id === purchase.id)
      ? pipeline
      : { ...pipeline, purchases: [...pipeline.purchases, purchase] },
  );
}

export function getCachedPurchase(client: QueryClient, id: string): PurchasedLead | undefined {
  return client.getQueryData<Pipeline>(PURCHASES_KEY)?.purchases.find((purchase) => purchase.id === id);
}

export function countByTile({ purchases, isComplete, counts }: Pipeline): TileCounts {
  if (!isComplete) return counts;
  const counted = Object.fromEntries(PIPELINE_TILE_KEYS.map((tile) => [tile, 0])) as TileCounts;
  for (const purchase of purchases) counted[getTile(purchase)] += 1;
  return counted;
}
