/** Refreshes purchases from the server. Loads only after the lists are live. */
import type { QueryClient } from "@tanstack/react-query";
import { useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";

import { ApiError, type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import {
  updatePipeline,
  removePurchases,
  type Pipeline,
  purchaseKey,
  PURCHASES_KEY,
  storePurchases,
} from "./purchases.ts";

type PipelineChanges = InferResponseType<ApiClient["api"]["pipeline"]["changes"]["$get"], 200>;

export type PurchaseDetails = InferResponseType<ApiClient["api"]["lead-purchases"][":id"]["$get"], 200>;

/** Overlap between requests, because responses from different Workers can be out of step. */
const OVERLAP_MS = 60_000;

async function fetchDetail(id: string): Promise<PurchaseDetails> {
  return unwrap(browserApi().api["lead-purchases"][":id"].$get({ param: { id } }));
}

export function usePurchaseDetail(id: string) {
  return useQuery({ queryKey: purchaseKey(id), queryFn: () => fetchDetail(id) });
}

/** Fetches the changes missed while the socket was closed. */
export async function fetchMissedChanges(client: QueryClient): Promise<void> {
  const pipeline = client.getQueryData<Pipeline>(PURCHASES_KEY);
  if (!pipeline) return;
  const since = String(Math.max(0, pipeline.syncedAt - OVERLAP_MS));
  let syncedAt = 0;
  let cursor: string | null = null;
  do {
    const changes: PipelineChanges = await unwrap(
      browserApi().api.pipeline.changes.$get({ query: { since, ...(cursor && { cursor }) } }),
    );
    syncedAt ||= changes.serverNow;
    cursor = changes.cursor;
    storePurchases(client, changes.items);
    removePurchases(client, changes.removed);
  } while (cursor);
  updatePipeline(client, (current) => ({ ...current, syncedAt }));
}

/** Fetches a purchase that another user changed. @returns null if the purchase no longer exists */
async function refreshPurchase(client: QueryClient, id: string): Promise<PurchaseDetails | null> {
  try {
    const detail = await fetchDetail(id);
    const {
      history: _history,
      contacts: _contacts,
      notesBy: _notesBy,
      answers: _answers,
      updates: _updates,
      photos: _photos,
      ...purchase
    } = detail;
    storePurchases(client, [purchase]);
    client.setQueryData<PurchaseDetails>(purchaseKey(id), detail);
    return detail;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    removePurchases(client, [id]);
    return null;
  }
}

/** Like `refreshPurchase`, but keeps the current data and returns null if the request fails. */
export async function refreshOrIgnore(client: QueryClient, id: string): Promise<PurchaseDetails | null> {
  try {
    return await refreshPurchase(client, id);
  } catch {
    // The window catches up when the socket connects again.
    return null;
  }
}
