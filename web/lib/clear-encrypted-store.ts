/** The part of the encrypted storage that signing out needs. The larger part loads later (encrypted-store.ts). */
import { clear, createStore, del, type UseStore } from "idb-keyval";

import { CLEAR_OFFLINE_KEY } from "../../contract/offline.ts";

let opened: UseStore | undefined;
export function store(): UseStore {
  opened ??= createStore("naturestrip-offline", "kept");
  return opened;
}

/**
 * Runs `work`. Returns null if storage is full, forbidden, or unavailable without https. Offline use is not possible
 * then.
 */
export async function resultOrNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}

/** Storage name of the leads. Do not change it: devices already store data under it. */
export const STORED_PIPELINE = "sealed";

/** Deletes the stored leads after a session has ended. Pending changes stay, encrypted for their author. */
export async function deleteStoredLeads(): Promise<void> {
  await resultOrNull(() => del(STORED_PIPELINE, store()));
}

/** Deletes all encrypted data and its key when the user signs out. */
export async function clearEncryptedStore(): Promise<void> {
  document.cookie = CLEAR_OFFLINE_KEY;
  await resultOrNull(() => clear(store()));
}
