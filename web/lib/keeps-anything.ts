import { del, set } from "idb-keyval";

import { orNull, store } from "./forget-sealed.ts";

const PROBE = "probe";

/**
 * Returns whether this device can store data now. Some private windows and full disks cannot. Does not create a key.
 */
export async function keepsAnything(): Promise<boolean> {
  const isDone = await orNull(async () => {
    await set(PROBE, true, store());
    await del(PROBE, store());
    return navigator.cookieEnabled;
  });
  return isDone ?? false;
}
