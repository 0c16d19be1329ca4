/** Warns before leaving a page with changes that are neither on the server nor stored on this device. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

import { listEncryptedNames } from "../lib/encrypted-store.ts";
import { getChangeQueue } from "./changes.ts";
import { NOTES, parsePurchaseId } from "./storage-names.ts";
import { draftsByClient } from "./notes-drafts.tsx";

/** Counts leads with unsaved notes, whether stored on this device or only in this page. */
export async function countUnsavedNotes(client: QueryClient): Promise<number> {
  const storedNames = await listEncryptedNames(NOTES);
  const leads = new Set(storedNames.map(parsePurchaseId));
  for (const purchaseId of draftsByClient.get(client)?.unstored ?? []) leads.add(purchaseId);
  return leads.size;
}

/** Returns whether any change is neither on the server nor stored on this device. */
const hasUnstoredChanges = (client: QueryClient) =>
  getChangeQueue(client).getStatus().notStored > 0 || (draftsByClient.get(client)?.unstored.size ?? 0) > 0;

/** Like `hasUnstoredChanges`, but ignores notes that the last request before the page closes will save. */
function wouldLoseChanges(client: QueryClient): boolean {
  const notesDrafts = draftsByClient.get(client);
  const isStuck = (purchaseId: string) => !navigator.onLine || notesDrafts?.isUnsaved(purchaseId);
  return getChangeQueue(client).getStatus().notStored > 0 || [...(notesDrafts?.unstored ?? [])].some(isStuck);
}

const listenersByClient = new WeakMap<QueryClient, (event: BeforeUnloadEvent) => void>();

/**
 * Warns before the page closes while a change would be lost. This applies to every page of the app. The listener is
 * added only when needed: a permanent one would disable the back/forward cache.
 */
export function warnBeforeUnload(client: QueryClient): void {
  const notesDrafts = draftsByClient.get(client);
  if (!notesDrafts || listenersByClient.has(client)) return;
  const ask = (event: BeforeUnloadEvent) => wouldLoseChanges(client) && event.preventDefault();
  listenersByClient.set(client, ask);
  const updateListener = () => {
    // After `stopWarning` the page does not warn again.
    const isOn = hasUnstoredChanges(client) && listenersByClient.has(client);
    (isOn ? addEventListener : removeEventListener)("beforeunload", ask);
  };
  getChangeQueue(client).subscribe(updateListener);
  notesDrafts.subscribe(updateListener);
  updateListener();
}

/** Lets the user leave without a warning. */
export function stopWarning(client: QueryClient): void {
  const ask = listenersByClient.get(client);
  if (ask) removeEventListener("beforeunload", ask);
  listenersByClient.delete(client);
}

export function useHasUnstoredChanges(): boolean {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => {
      const unsubscribers = [
        getChangeQueue(client).subscribe(listener),
        draftsByClient.get(client)?.subscribe(listener),
      ];
      return () => unsubscribers.forEach((end) => end?.());
    },
    [client],
  );
  const read = useCallback(() => hasUnstoredChanges(client), [client]);
  return useSyncExternalStore(subscribe, read, () => false);
}
