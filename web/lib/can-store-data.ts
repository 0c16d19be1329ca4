import { del, set } from "idb-keyval";

import { resultOrNull, store } from "./clear-encrypted-store.ts";

const PROBE = "probe";

/**
 * Returns whether this device can store data now. Some private windows and full disks cannot. Does not create a key.
 */
export async function canStoreData(): Promise<boolean> {
  const isDone = await resultOrNull(async () => {
    await set(PROBE, true, store());
    await del(PROBE, store());
    return navigator.cookieEnabled;
  });
  return isDone ?? false;
}
