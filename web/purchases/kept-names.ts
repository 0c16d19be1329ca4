/** Names under which `lib/sealed-store.ts` stores changes. Within a kind, names sort by time of change. */

/** Prefix of changes that have not reached the server. */
export const WAITING = "change:";

/** Prefix of refused changes that the user has not dismissed. */
export const REFUSED = "refused:";

/**
 * Returns a change's storage name.
 * @param at time of the change by this device (epoch ms)
 * @param key the change's idempotency key
 */
export const keptName = (kind: typeof WAITING | typeof REFUSED, at: number, key: string) =>
  `${kind}${String(at).padStart(16, "0")}:${key}`;
