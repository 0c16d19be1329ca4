/** What signing out has to know of what is kept on this device; the rest of it comes later (sealed-store.ts). */
import { clear, createStore, del, type UseStore } from "idb-keyval";

import { CLEAR_OFFLINE_KEY } from "../../contract/offline.ts";

let opened: UseStore | undefined;
/** Where what is sealed lies on this device. */
export function store(): UseStore {
  opened ??= createStore("naturestrip-offline", "kept");
  return opened;
}

/** A full storage, a forbidden one, or no https: then there is nothing without a connection, and no harm. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}

/** The name under which the leads are kept; the one that devices have had from the beginning. */
export const KEPT_PIPELINE = "sealed";

/** Wipes the leads that are kept, when a session has ended; what waits to be sent stays sealed for its person. */
export async function forgetLeads(): Promise<void> {
  await orNull(() => del(KEPT_PIPELINE, store()));
}

/** Wipes everything that is kept; part of signing out. */
export async function forgetSealed(): Promise<void> {
  document.cookie = CLEAR_OFFLINE_KEY;
  await orNull(() => clear(store()));
}
