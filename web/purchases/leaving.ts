/**
 * Changes that would be lost with this page because the device could not store them, and the question before leaving.
 */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { clear, keys } from "idb-keyval";
import { useCallback, useSyncExternalStore } from "react";

import { changeQueue } from "./change-desk.ts";
import { desks, withKept } from "./notes-desk.tsx";

/** Deletes unsaved notes from this device; part of signing out. */
export async function forgetKeptNotes(): Promise<void> {
  await withKept(clear);
}

/** Counts leads with notes the server does not have, whether stored on this device or only in this page. */
export async function countUnsavedNotes(client: QueryClient): Promise<number> {
  const kept = await withKept((store) => keys<string>(store));
  const leads = new Set(kept?.map((name) => name.slice(name.indexOf(":") + 1)));
  for (const purchaseId of desks.get(client)?.unkept ?? []) leads.add(purchaseId);
  return leads.size;
}

/** Returns whether any change is neither on the server nor stored on this device. */
const isUnkept = (client: QueryClient) =>
  changeQueue(client).standing().unkept > 0 || (desks.get(client)?.unkept.size ?? 0) > 0;

/** Like `isUnkept`, but ignores notes that a final request saves when the page closes. */
function wouldLose(client: QueryClient): boolean {
  const desk = desks.get(client);
  const isStuck = (purchaseId: string) => !navigator.onLine || desk?.isUnsaved(purchaseId);
  return changeQueue(client).standing().unkept > 0 || [...(desk?.unkept ?? [])].some(isStuck);
}

const guarded = new WeakMap<QueryClient, (event: BeforeUnloadEvent) => void>();

/**
 * Asks before leaving while a change would be lost, for the lifetime of the window. This covers the application's
 * other pages too. It listens only then: browsers do not put a page with a permanent listener in the back/forward
 * cache.
 */
export function guardLeaving(client: QueryClient): void {
  const desk = desks.get(client);
  if (!desk || guarded.has(client)) return;
  const ask = (event: BeforeUnloadEvent) => wouldLose(client) && event.preventDefault();
  guarded.set(client, ask);
  const look = () => {
    // After `letLeave` the page never asks again.
    const isOn = isUnkept(client) && guarded.has(client);
    (isOn ? addEventListener : removeEventListener)("beforeunload", ask);
  };
  changeQueue(client).subscribe(look);
  desk.subscribe(look);
  look();
}

/** Lets the user leave without another question. */
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
