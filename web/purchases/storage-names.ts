/** Names under which `lib/encrypted-store.ts` stores changes and notes. Names are not encrypted. */

/** Prefix of changes that have not reached the server. */
export const PENDING_PREFIX = "change:";

/** Prefix of refused changes that the user has not dismissed. */
export const REFUSED = "refused:";

/** Prefix of unsaved notes. */
export const NOTES = "notes:";

/** Returns the storage name of a user's unsaved notes on a purchase. */
export const notesName = (userId: string, purchaseId: string) => `${NOTES}${userId}:${purchaseId}`;

/** Returns the purchase ID in such a name. */
export const parsePurchaseId = (name: string) => name.split(":")[2]!;

/**
 * Returns a change's storage name. Within a kind, names sort by time of change.
 * @param at time of the change by this device (epoch ms)
 * @param key the change's idempotency key
 */
export const changeStorageName = (kind: typeof PENDING_PREFIX | typeof REFUSED, at: number, key: string) =>
  `${kind}${String(at).padStart(16, "0")}:${key}`;
