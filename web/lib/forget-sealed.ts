/** The part of the device's sealed storage that signing out needs. The rest loads later (sealed-store.ts). */
import { clear, createStore, del, type UseStore } from "idb-keyval";

import { CLEAR_OFFLINE_KEY } from "../../contract/offline.ts";

let opened: UseStore | undefined;
export function store(): UseStore {
  opened ??= createStore("naturestrip-offline", "kept");
  return opened;
}

/** Returns null when storage is full or forbidden, or without https. Offline use is then not available. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}

/** Storage name of the leads. Devices have used it from the beginning. */
export const KEPT_PIPELINE = "sealed";

/** Deletes the stored leads when a session has ended. Pending changes stay sealed for their author. */
export async function forgetLeads(): Promise<void> {
  await orNull(() => del(KEPT_PIPELINE, store()));
}

/** Deletes all sealed data; part of signing out. */
export async function forgetSealed(): Promise<void> {
  document.cookie = CLEAR_OFFLINE_KEY;
  await orNull(() => clear(store()));
}
