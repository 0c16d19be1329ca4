/** Under which names changes lie on a device (`lib/sealed-store.ts`): each kind sorts as its changes were made. */

/** What waits for a connection. */
export const WAITING = "change:";

/** What the server refused, and nobody has seen yet. */
export const REFUSED = "refused:";

/**
 * @param at when the change was made, by this device (epoch ms)
 * @param key the change's own
 */
export const keptName = (kind: typeof WAITING | typeof REFUSED, at: number, key: string) =>
  `${kind}${String(at).padStart(16, "0")}:${key}`;
