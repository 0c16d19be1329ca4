import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { useCallback, useEffect, useState } from "react";

import { PIPELINE_TILE_KEYS, type TileCounts, tileOf } from "../../contract/pipeline.ts";
import type { PurchaseUpdate } from "../../contract/purchases.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

/** A bought lead with everything its customer told us. */
export type PurchasedLead = InferResponseType<ApiClient["api"]["my-purchased-leads"]["$get"], 200>[number];

/** One page of GET /api/pipeline. */
export type PipelinePage = InferResponseType<ApiClient["api"]["pipeline"]["$get"], 200>;

/**
 * The business's pipeline as this window knows it: first the page the address asked for, soon afterwards
 * every purchase. From then on searching, sorting and counting need nobody's answer.
 */
export type Pipeline = {
  purchases: readonly PurchasedLead[];
  isComplete: boolean;
  /** The server's counts; believed until the pipeline is complete. */
  counts: TileCounts;
  /** The server's time of the oldest answer in here: what changed since then may be missing. */
  heardAt: number;
};

export const PURCHASES_KEY = ["purchases"] as const;

/** Key of everything there is to know about one purchase. */
export const purchaseKey = (id: string) => ["purchase", id] as const;

/** Key of every change to one purchase, so that those on their way can be found. */
export const changeKey = (purchaseId: string) => ["purchase-change", purchaseId] as const;

const PAGE = "500";

/** The first page of what an address asks for, as the loader gives it. */
export function pipelineOf(page: PipelinePage): Pipeline {
  const total = Object.values(page.counts).reduce((sum, count) => sum + count, 0);
  return {
    purchases: page.items,
    isComplete: page.items.length >= total,
    counts: page.counts,
    heardAt: page.serverNow,
  };
}

/** Where both know a purchase, the one that was changed last is believed. */
function merge(known: readonly PurchasedLead[], heard: readonly PurchasedLead[]): PurchasedLead[] {
  const byId = new Map(known.map((purchase) => [purchase.id, purchase]));
  for (const purchase of heard) {
    const current = byId.get(purchase.id);
    if (!current || current.updatedAt <= purchase.updatedAt) byId.set(purchase.id, purchase);
  }
  return [...byId.values()];
}

/** A purchase with the person's own changes laid over, which the server may not know yet. */
function withPending(client: QueryClient, purchase: PurchasedLead): PurchasedLead {
  const pending = client
    .getMutationCache()
    .findAll({ mutationKey: changeKey(purchase.id), status: "pending" })
    .map((mutation) => (mutation.state.variables ?? {}) as PurchaseUpdate & { tries?: number });
  let shown = purchase;
  for (const { tries, salesStage, customerPaymentAmount, ...rest } of pending) {
    const { nextActionAt, nextActionNote, assignedTo } = rest;
    if (tries !== undefined) shown = { ...shown, tries };
    if (salesStage) shown = { ...shown, salesStage };
    if (customerPaymentAmount !== undefined) shown = { ...shown, customerPaymentAmount };
    if (nextActionAt !== undefined) shown = { ...shown, nextActionAt };
    if (nextActionNote !== undefined) shown = { ...shown, nextActionNote };
    if (assignedTo !== undefined) shown = { ...shown, assignedTo };
  }
  return shown;
}

/** Changes the pipeline, where there is one. */
export function edit(client: QueryClient, change: (pipeline: Pipeline) => Pipeline) {
  client.setQueryData<Pipeline>(PURCHASES_KEY, (pipeline) => pipeline && change(pipeline));
}

/** Takes in purchases as the server has them now. */
export function storePurchases(
  client: QueryClient,
  heard: readonly PurchasedLead[],
  more: Partial<Pipeline> = {},
) {
  const shown = heard.map((purchase) => withPending(client, purchase));
  edit(client, (pipeline) => ({
    ...pipeline,
    ...more,
    purchases: merge(pipeline.purchases, shown),
  }));
}

async function fetchPage(cursor: string | undefined): Promise<PipelinePage> {
  return unwrap(browserApi().api.pipeline.$get({ query: { limit: PAGE, ...(cursor && { cursor }) } }));
}

/** Purchases made in this window; one may be ours before the pipeline's table has it. */
const BOUGHT_KEY = ["bought-here"] as const;

/** The whole pipeline, page after page. */
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
    ).map((purchase) => withPending(client, purchase)),
    isComplete: true,
    counts: first!.counts,
    heardAt: first!.serverNow,
  };
}

/** Fills up a pipeline of which one page is known; each page shows as it comes. */
async function loadRest(client: QueryClient, isWanted: () => boolean): Promise<void> {
  let cursor: string | null | undefined;
  do {
    const page = await fetchPage(cursor ?? undefined);
    if (!isWanted()) return;
    cursor = page.cursor;
    storePurchases(client, page.items, { counts: page.counts, isComplete: !cursor });
  } while (cursor);
}

/** The pipeline, from the page's first answer on; `rest` says how the filling up goes. */
export function usePipeline(firstPage: PipelinePage | null) {
  const query = useQuery({
    queryKey: PURCHASES_KEY,
    queryFn: ({ client }) => fetchPipeline(client),
    initialData: firstPage ? pipelineOf(firstPage) : undefined,
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

/** Takes purchases off the screen that are gone. */
export function forget(client: QueryClient, ids: readonly string[]) {
  if (ids.length === 0) return;
  edit(client, (pipeline) => ({
    ...pipeline,
    purchases: pipeline.purchases.filter(({ id }) => !ids.includes(id)),
  }));
}

/** Changes one purchase to what the server said; changes still on their way stay laid over it. */
export function editPurchase(
  client: QueryClient,
  id: string,
  change: (purchase: PurchasedLead) => PurchasedLead,
) {
  rollBack(client, id, (purchase) => withPending(client, change(purchase)));
}

/** Takes in what the server saved of a change. Notes have their own way of staying true. */
export function takeSaved(client: QueryClient, id: string, saved: Partial<PurchasedLead>) {
  editPurchase(client, id, (current) => ({
    ...current,
    ...saved,
    salesNotes: current.salesNotes,
    notesVersion: current.notesVersion,
  }));
  void client.invalidateQueries({ queryKey: purchaseKey(id) });
}

/** Takes back a refused change; changes still on their way are laid over already. */
export function rollBack(
  client: QueryClient,
  id: string,
  change: (purchase: PurchasedLead) => PurchasedLead,
) {
  edit(client, (pipeline) => ({
    ...pipeline,
    purchases: pipeline.purchases.map((purchase) => (purchase.id === id ? change(purchase) : purchase)),
  }));
}

/** Takes in a fresh purchase; the same one again changes nothing. */
export function addPurchase(client: QueryClient, purchase: PurchasedLead) {
  client.setQueryData<PurchasedLead[]>(BOUGHT_KEY, (bought = []) => [...bought, purchase]);
  edit(client, (pipeline) =>
    pipeline.purchases.some(({ id }) => id === purchase.id)
      ? pipeline
      : { ...pipeline, purchases: [...pipeline.purchases, purchase] },
  );
}

/** The purchase with this id, if the window knows it. */
export function findPurchase(client: QueryClient, id: string): PurchasedLead | undefined {
  return client.getQueryData<Pipeline>(PURCHASES_KEY)?.purchases.find((purchase) => purchase.id === id);
}

/** How many purchases stand on each tile. */
export function countTiles({ purchases, isComplete, counts }: Pipeline): TileCounts {
  if (!isComplete) return counts;
  const counted = Object.fromEntries(PIPELINE_TILE_KEYS.map((tile) => [tile, 0])) as TileCounts;
  for (const purchase of purchases) counted[tileOf(purchase)] += 1;
  return counted;
}
