/** Asks the server how purchases stand now. Nothing of it is needed before the lists are live. */
import type { QueryClient } from "@tanstack/react-query";
import { useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";

import { ApiError, type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { edit, forget, type Pipeline, purchaseKey, PURCHASES_KEY, storePurchases } from "./purchases.ts";

type PipelineChanges = InferResponseType<ApiClient["api"]["pipeline"]["changes"]["$get"], 200>;

/** Everything about one purchase. */
export type PurchaseDetail = InferResponseType<ApiClient["api"]["lead-purchases"][":id"]["$get"], 200>;

/** Answers of several Workers are not quite in step: so much is asked for twice. */
const OVERLAP_MS = 60_000;

async function fetchDetail(id: string): Promise<PurchaseDetail> {
  return unwrap(browserApi().api["lead-purchases"][":id"].$get({ param: { id } }));
}

/** Everything about one purchase, for its details. */
export function usePurchaseDetail(id: string) {
  return useQuery({ queryKey: purchaseKey(id), queryFn: () => fetchDetail(id) });
}

/** Asks what changed while nobody was listening. */
export async function catchUp(client: QueryClient): Promise<void> {
  const pipeline = client.getQueryData<Pipeline>(PURCHASES_KEY);
  if (!pipeline) return;
  const since = String(Math.max(0, pipeline.heardAt - OVERLAP_MS));
  let heardAt = 0;
  let cursor: string | null = null;
  do {
    const changes: PipelineChanges = await unwrap(
      browserApi().api.pipeline.changes.$get({ query: { since, ...(cursor && { cursor }) } }),
    );
    heardAt ||= changes.serverNow;
    cursor = changes.cursor;
    storePurchases(client, changes.items);
    forget(client, changes.removed);
  } while (cursor);
  edit(client, (current) => ({ ...current, heardAt }));
}

/** Asks for one purchase that somebody else changed. @returns it; null when it is gone */
async function refreshPurchase(client: QueryClient, id: string): Promise<PurchaseDetail | null> {
  try {
    const detail = await fetchDetail(id);
    const { history: _, contacts: __, notesBy: ___, answers: ____, ...purchase } = detail;
    storePurchases(client, [purchase]);
    client.setQueryData<PurchaseDetail>(purchaseKey(id), detail);
    return detail;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    forget(client, [id]);
    return null;
  }
}

/** The same where nothing depends on it; offline, what is shown stays. @returns null when it did not come */
export async function refreshQuietly(client: QueryClient, id: string): Promise<PurchaseDetail | null> {
  try {
    return await refreshPurchase(client, id);
  } catch {
    // The socket's next greeting catches up.
    return null;
  }
}
