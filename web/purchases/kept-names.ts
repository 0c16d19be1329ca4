/** Storage names of changes on a device (`lib/sealed-store.ts`). Within a kind, names sort by time of change. */

/** Changes waiting for a connection. */
export const WAITING = "change:";

/** Changes the server refused and the user has not dismissed. */
export const REFUSED = "refused:";

/** @param at time of the change by this device (epoch ms) @param key the change's idempotency key */
export const keptName = (kind: typeof WAITING | typeof REFUSED, at: number, key: string) =>
  `${kind}${String(at).padStart(16, "0")}:${key}`;
