/** What is lost with this page, because this device would not keep it, and how nobody loses it unasked. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { clear, keys } from "idb-keyval";
import { useCallback, useSyncExternalStore } from "react";

import { changeQueue } from "./change-desk.ts";
import { desks, withKept } from "./notes-desk.tsx";

/** Forgets unsaved notes kept on this device; part of signing out. */
export async function forgetKeptNotes(): Promise<void> {
  await withKept(clear);
}

/** How many leads have notes that the server does not have: they are on this device, or in this page alone. */
export async function countUnsavedNotes(client: QueryClient): Promise<number> {
  const kept = await withKept((store) => keys<string>(store));
  const leads = new Set(kept?.map((name) => name.slice(name.indexOf(":") + 1)));
  for (const purchaseId of desks.get(client)?.unkept ?? []) leads.add(purchaseId);
  return leads.size;
}

/** Whether something that was changed here is on no device and on no server. */
const isUnkept = (client: QueryClient) =>
  changeQueue(client).standing().unkept > 0 || (desks.get(client)?.unkept.size ?? 0) > 0;

/** The same, without notes that one last request saves when the page goes. */
function wouldLose(client: QueryClient): boolean {
  const desk = desks.get(client);
  const isStuck = (purchaseId: string) => !navigator.onLine || desk?.isUnsaved(purchaseId);
  return changeQueue(client).standing().unkept > 0 || [...(desk?.unkept ?? [])].some(isStuck);
}

const guarded = new WeakMap<QueryClient, (event: BeforeUnloadEvent) => void>();

/**
 * Asks whoever leaves or closes this page while something would be lost with it, for as long as it lives: the application's
 * other pages too. It listens only then: browsers do not put a page by that always listens.
 */
export function guardLeaving(client: QueryClient): void {
  const desk = desks.get(client);
  if (!desk || guarded.has(client)) return;
  const ask = (event: BeforeUnloadEvent) => wouldLose(client) && event.preventDefault();
  guarded.set(client, ask);
  const look = () => {
    // Who was let go is asked no more.
    const isOn = isUnkept(client) && guarded.has(client);
    (isOn ? addEventListener : removeEventListener)("beforeunload", ask);
  };
  changeQueue(client).subscribe(look);
  desk.subscribe(look);
  look();
}

/** They have been asked, and leave. */
export function letLeave(client: QueryClient): void {
  const ask = guarded.get(client);
  if (ask) removeEventListener("beforeunload", ask);
  guarded.delete(client);
}

/** Whether something that was changed here is gone with this page. */
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
