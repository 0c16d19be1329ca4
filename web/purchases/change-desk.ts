/** Sends the changes made in this window and stores them on this device until the server has them. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { askWhoWeAre, ME_KEY } from "../auth/current-user.ts";
import { codeOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { KEPT_PIPELINE } from "../lib/forget-sealed.ts";
import { dropSealed, keepSealed, readAllSealed, readSealed, sealedNames } from "../lib/sealed-store.ts";
import { type Change, ChangeQueue } from "./change-queue.ts";
import { keptName, WAITING } from "./kept-names.ts";
import { cachedPurchase } from "./purchases.ts";
import { countRefusals, refusals } from "./refusals.ts";

const nameOf = ({ madeAt, update }: Change) => keptName(WAITING, madeAt, update.changeKey);

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

const userOf = (client: QueryClient) => client.getQueryData<CurrentUser | null>(ME_KEY);

/** Returns whether this device stores the user's changes. An impersonating admin leaves nothing on the device. */
export const isKeptHere = (client: QueryClient) => userOf(client)?.isImpersonating === false;

let lastAt = 0;

/** Returns a new change made now by the signed-in user. */
export function changeOf(client: QueryClient, purchaseId: string, update: Change["update"]): Change {
  // Make timestamps unique, so that changes sort in the order they were made.
  lastAt = Math.max(Date.now(), lastAt + 1);
  const name = cachedPurchase(client, purchaseId)?.customerName;
  return { purchaseId, userId: userOf(client)?.id ?? "", madeAt: lastAt, update, ...(name && { name }) };
}

function makeQueue(client: QueryClient) {
  return new ChangeQueue({
    send: async (change, isLate) => {
      try {
        return await sendChange(change, isLate);
      } catch (error) {
        // The session ended or belongs to another user, so refresh the current user.
        if (codeOf(error) === "unauthenticated") void askWhoWeAre(client);
        throw error;
      }
    },
    keep: async (change) => isKeptHere(client) && keepSealed(nameOf(change), change),
    forget: (change) => void dropSealed(nameOf(change)),
    // Without a stored refusal the change stays. The next page then sends it and reports its refusal again.
    giveUp: async (change, error) => {
      const isTold = await refusals(client).add(change, error, isKeptHere(client));
      if (isTold) await dropSealed(nameOf(change));
    },
  });
}

const queues = new WeakMap<QueryClient, ReturnType<typeof makeQueue>>();

export function changeQueue(client: QueryClient): ReturnType<typeof makeQueue> {
  const queue = queues.get(client) ?? makeQueue(client);
  queues.set(client, queue);
  return queue;
}

/**
 * Returns the changes that this user's earlier visits left on this device, oldest first. Deletes changes and leads that
 * another user left after their session ended.
 */
export async function readKeptChanges(userId: string): Promise<Change[]> {
  const [kept, leads] = await Promise.all([
    readAllSealed<Change>(WAITING),
    readSealed<{ user: { id: string } }>(KEPT_PIPELINE),
  ]);
  // Sort new changes after the stored ones, even if the clock was set back since.
  lastAt = Math.max(lastAt, ...kept.map(({ madeAt }) => madeAt));
  const others = kept.filter((change) => change.userId !== userId).map(nameOf);
  if (leads && leads.user.id !== userId) others.push(KEPT_PIPELINE);
  await Promise.all(others.map(dropSealed));
  return kept.filter((change) => change.userId === userId);
}

/**
 * Sends this window's pending changes. Changes stored by an earlier page are sent only by the dashboard.
 * @param withinMs time limit
 * @returns the number of unsaved changes, and of refused changes that the user has not dismissed
 */
export async function finishChanges(
  client: QueryClient,
  withinMs: number,
): Promise<{ waiting: number; refused: number }> {
  const left = await changeQueue(client).finish(withinMs);
  const kept = await sealedNames(WAITING);
  const told = refusals(client).told();
  // Count a change once if it is both stored on the device and pending in this window.
  const names = new Set([...kept, ...left.map(nameOf)]);
  for (const { at, key } of told) names.delete(keptName(WAITING, at, key));
  return { waiting: names.size, refused: await countRefusals(client) };
}

/** Returns whether a purchase has delayed changes that have not reached the server. */
export function useLateChanges(purchaseId: string): boolean {
  const queue = changeQueue(useQueryClient());
  const read = useCallback(() => queue.isLate(purchaseId), [queue, purchaseId]);
  return useSyncExternalStore(queue.subscribe, read, () => false);
}
