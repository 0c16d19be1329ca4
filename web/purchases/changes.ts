/** Sends the changes made in this window and stores them on this device until the server has them. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { recheckCurrentUser, CURRENT_USER_KEY } from "../auth/current-user.ts";
import { codeOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { STORED_PIPELINE } from "../lib/clear-encrypted-store.ts";
import {
  deleteEncrypted,
  storeEncrypted,
  readAllEncrypted,
  readEncrypted,
  listEncryptedNames,
} from "../lib/encrypted-store.ts";
import { type Change, ChangeQueue } from "./change-queue.ts";
import { changeStorageName, PENDING_PREFIX } from "./storage-names.ts";
import { getCachedPurchase } from "./purchases.ts";
import { countRefusals, getRefusals } from "./refusals.ts";

const nameOf = ({ madeAt, update }: Change) => changeStorageName(PENDING_PREFIX, madeAt, update.changeKey);

/** Sends a change to the server. @throws ApiError; TypeError when offline */
export function sendChange({ purchaseId, userId: madeBy, madeAt, update }: Change, isLate: boolean) {
  const purchase = browserApi().api["lead-purchases"][":id"];
  const param = { id: purchaseId };
  if ("contact" in update) {
    const { contact } = update;
    // Limit the time to now: the device's clock may have been ahead.
    const at = contact.at ?? (isLate ? Math.min(madeAt, Date.now()) : undefined);
    const json = { ...contact, madeBy, ...(at !== undefined && { at }) };
    return unwrap(purchase.contacts.$post({ param, json }));
  }
  const { was, ...fields } = update;
  const json = { ...fields, madeBy, ...(isLate && was && { was }) };
  return unwrap(purchase["sales-stage"].$patch({ param, json }));
}

const userOf = (client: QueryClient) => client.getQueryData<CurrentUser | null>(CURRENT_USER_KEY);

/** Returns whether this device stores the user's changes. An impersonating admin leaves nothing on the device. */
export const canStoreChanges = (client: QueryClient) => userOf(client)?.isImpersonating === false;

let lastMadeAt = 0;

/** Returns a new change made now by the signed-in user. */
export function createChange(client: QueryClient, purchaseId: string, update: Change["update"]): Change {
  // Make timestamps unique, so that changes sort in the order they were made.
  lastMadeAt = Math.max(Date.now(), lastMadeAt + 1);
  const name = getCachedPurchase(client, purchaseId)?.customerName;
  return { purchaseId, userId: userOf(client)?.id ?? "", madeAt: lastMadeAt, update, ...(name && { name }) };
}

function makeQueue(client: QueryClient) {
  return new ChangeQueue({
    send: async (change, isLate) => {
      try {
        return await sendChange(change, isLate);
      } catch (error) {
        // The session ended or belongs to another user, so refresh the current user.
        if (codeOf(error) === "unauthenticated") void recheckCurrentUser(client);
        throw error;
      }
    },
    storeOnDevice: async (change) => canStoreChanges(client) && storeEncrypted(nameOf(change), change),
    deleteStored: (change) => void deleteEncrypted(nameOf(change)),
    // Without a stored refusal the change stays. The next page then sends it and reports its refusal again.
    onRefused: async (change, error) => {
      const isRefusalStored = await getRefusals(client).add(change, error, canStoreChanges(client));
      if (isRefusalStored) await deleteEncrypted(nameOf(change));
    },
  });
}

const queues = new WeakMap<QueryClient, ReturnType<typeof makeQueue>>();

export function getChangeQueue(client: QueryClient): ReturnType<typeof makeQueue> {
  const queue = queues.get(client) ?? makeQueue(client);
  queues.set(client, queue);
  return queue;
}

/**
 * Returns the changes that this user's earlier visits left on this device, oldest first. Deletes changes and leads that
 * another user left after their session ended.
 */
export async function readStoredChanges(userId: string): Promise<Change[]> {
  const [stored, leads] = await Promise.all([
    readAllEncrypted<Change>(PENDING_PREFIX),
    readEncrypted<{ user: { id: string } }>(STORED_PIPELINE),
  ]);
  // Sort new changes after the stored ones, even if the clock was set back since.
  lastMadeAt = Math.max(lastMadeAt, ...stored.map(({ madeAt }) => madeAt));
  const namesToDelete = stored.filter((change) => change.userId !== userId).map(nameOf);
  if (leads && leads.user.id !== userId) namesToDelete.push(STORED_PIPELINE);
  await Promise.all(namesToDelete.map(deleteEncrypted));
  return stored.filter((change) => change.userId === userId);
}

/**
 * Sends this window's pending changes. Changes stored by an earlier page are sent only by the dashboard.
 * @param withinMs time limit
 * @returns the number of unsaved changes, and of refused changes that the user has not dismissed
 */
export async function drainChanges(
  client: QueryClient,
  withinMs: number,
): Promise<{ waiting: number; refused: number }> {
  const left = await getChangeQueue(client).drain(withinMs);
  const stored = await listEncryptedNames(PENDING_PREFIX);
  const shownRefusals = getRefusals(client).refusals();
  // Count a change once if it is both stored on the device and pending in this window.
  const names = new Set([...stored, ...left.map(nameOf)]);
  for (const { at, key } of shownRefusals) names.delete(changeStorageName(PENDING_PREFIX, at, key));
  return { waiting: names.size, refused: await countRefusals(client) };
}

/** Returns whether a purchase has delayed changes that have not reached the server. */
export function useHasLateChanges(purchaseId: string): boolean {
  const queue = getChangeQueue(useQueryClient());
  const read = useCallback(() => queue.isLate(purchaseId), [queue, purchaseId]);
  return useSyncExternalStore(queue.subscribe, read, () => false);
}
