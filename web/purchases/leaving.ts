/** Warns before leaving a page with changes that are neither on the server nor stored on this device. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

import { sealedNames } from "../lib/sealed-store.ts";
import { changeQueue } from "./change-desk.ts";
import { NOTES, purchaseOfNotes } from "./kept-names.ts";
import { desks } from "./notes-desk.tsx";

/** Counts leads with unsaved notes, whether stored on this device or only in this page. */
export async function countUnsavedNotes(client: QueryClient): Promise<number> {
  const kept = await sealedNames(NOTES);
  const leads = new Set(kept.map(purchaseOfNotes));
  for (const purchaseId of desks.get(client)?.unkept ?? []) leads.add(purchaseId);
  return leads.size;
}

/** Returns whether any change is neither on the server nor stored on this device. */
const isUnkept = (client: QueryClient) =>
  changeQueue(client).standing().unkept > 0 || (desks.get(client)?.unkept.size ?? 0) > 0;

/** Like `isUnkept`, but ignores notes that the last request before the page closes will save. */
function wouldLose(client: QueryClient): boolean {
  const desk = desks.get(client);
  const isStuck = (purchaseId: string) => !navigator.onLine || desk?.isUnsaved(purchaseId);
  return changeQueue(client).standing().unkept > 0 || [...(desk?.unkept ?? [])].some(isStuck);
}

const guarded = new WeakMap<QueryClient, (event: BeforeUnloadEvent) => void>();

/**
 * Warns before the page closes while a change would be lost. This applies to every page of the app. The listener is
 * added only when needed: a permanent one would disable the back/forward cache.
 */
export function guardLeaving(client: QueryClient): void {
  const desk = desks.get(client);
  if (!desk || guarded.has(client)) return;
  const ask = (event: BeforeUnloadEvent) => wouldLose(client) && event.preventDefault();
  guarded.set(client, ask);
  const look = () => {
    // After `letLeave` the page does not warn again.
    const isOn = isUnkept(client) && guarded.has(client);
    (isOn ? addEventListener : removeEventListener)("beforeunload", ask);
  };
  changeQueue(client).subscribe(look);
  desk.subscribe(look);
  look();
}

/** Lets the user leave without a warning. */
export function letLeave(client: QueryClient): void {
  const ask = guarded.get(client);
  if (ask) removeEventListener("beforeunload", ask);
  guarded.delete(client);
}

export function useUnkept(): boolean {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [changeQueue(client).subscribe(listener), desks.get(client)?.subscribe(listener)];
      return () => ends.forEach((end) => end?.());
    },
    [client],
  );
  const read = useCallback(() => isUnkept(client), [client]);
  return useSyncExternalStore(subscribe, read, () => false);
}
