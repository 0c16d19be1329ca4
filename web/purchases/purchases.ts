import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";

import { PIPELINE_TILES, type PurchaseUpdate } from "../../contract/purchases.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { nextCursor } from "../lib/next-page.ts";

/** A bought lead with everything its customer told us. */
export type PurchasedLead = InferResponseType<ApiClient["api"]["my-purchased-leads"]["$get"], 200>[number];

export const PURCHASES_KEY = ["purchases"] as const;

/** Key of every change to one purchase, so that those on their way can be found. */
export const changeKey = (purchaseId: string) => ["purchase-change", purchaseId] as const;

/** All purchases of the business, page after page, newest first. */
export async function fetchPurchases(api: ApiClient): Promise<PurchasedLead[]> {
  const all: PurchasedLead[] = [];
  let cursor: string | undefined;
  do {
    const response = await api.api["my-purchased-leads"].$get({ query: { cursor } });
    all.push(...(await unwrap(response)));
    cursor = nextCursor(response) ?? undefined;
  } while (cursor);
  return all;
}

/** A purchase with the person's own changes laid over, which the server may not know yet. */
function withPending(client: QueryClient, purchase: PurchasedLead): PurchasedLead {
  const pending = client
    .getMutationCache()
    .findAll({ mutationKey: changeKey(purchase.id), status: "pending" })
    .map((mutation) => mutation.state.variables as PurchaseUpdate);
  let shown = purchase;
  for (const { salesStage, customerPaymentAmount } of pending) {
    if (salesStage) shown = { ...shown, salesStage };
    if (customerPaymentAmount !== undefined) shown = { ...shown, customerPaymentAmount };
  }
  return shown;
}

/** Purchases made in this window; one may be ours before the pipeline's table has it. */
const BOUGHT_KEY = ["bought-here"] as const;

function withBought(client: QueryClient, listed: readonly PurchasedLead[]): PurchasedLead[] {
  const bought = client.getQueryData<PurchasedLead[]>(BOUGHT_KEY) ?? [];
  const known = new Set(listed.map((purchase) => purchase.id));
  return [...bought.filter((purchase) => !known.has(purchase.id)), ...listed];
}

export function usePurchases(initial: PurchasedLead[] | null) {
  return useQuery({
    queryKey: PURCHASES_KEY,
    queryFn: async ({ client }) =>
      withBought(client, await fetchPurchases(browserApi())).map((purchase) => withPending(client, purchase)),
    initialData: initial ?? undefined,
  });
}

/** Changes one purchase in the cache to what the server said. */
export function editPurchase(
  client: QueryClient,
  id: string,
  edit: (purchase: PurchasedLead) => PurchasedLead,
) {
  client.setQueryData<PurchasedLead[]>(PURCHASES_KEY, (purchases) =>
    purchases?.map((purchase) => (purchase.id === id ? withPending(client, edit(purchase)) : purchase)),
  );
}

/** Takes back a refused change; changes still on their way are laid over already. */
export function rollBack(client: QueryClient, id: string, edit: (purchase: PurchasedLead) => PurchasedLead) {
  client.setQueryData<PurchasedLead[]>(PURCHASES_KEY, (purchases) =>
    purchases?.map((purchase) => (purchase.id === id ? edit(purchase) : purchase)),
  );
}

/** Puts a fresh purchase on top; the same one again changes nothing. */
export function addPurchase(client: QueryClient, purchase: PurchasedLead) {
  client.setQueryData<PurchasedLead[]>(BOUGHT_KEY, (bought = []) => [...bought, purchase]);
  client.setQueryData<PurchasedLead[]>(PURCHASES_KEY, (purchases = []) =>
    purchases.some((known) => known.id === purchase.id) ? purchases : [purchase, ...purchases],
  );
}

export type PipelineTile = (typeof PIPELINE_TILES)[number];

/** Whether a purchase is closed: such ones stand under Final, whatever their stage, and are read only. */
export function isFinal(purchase: PurchasedLead): boolean {
  return purchase.isArchived || purchase.finalisedAt !== null;
}

/** The purchases of a tile. */
export function purchasesOf(tile: PipelineTile, purchases: readonly PurchasedLead[]): PurchasedLead[] {
  return purchases.filter((purchase) =>
    tile.stage === null ? isFinal(purchase) : !isFinal(purchase) && purchase.salesStage === tile.stage,
  );
}
