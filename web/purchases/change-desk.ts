/** The changes of a window that are on their way, and those that wait on this device for a connection. */
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
import { findPurchase } from "./purchases.ts";
import { countRefusals, refusals } from "./refusals.ts";

const nameOf = ({ madeAt, update }: Change) => keptName(WAITING, madeAt, update.changeKey);

/** Sends a change to the server. @throws ApiError; TypeError when offline */
export function sendChange({ purchaseId, userId: madeBy, madeAt, update }: Change, isLate: boolean) {
  const purchase = browserApi().api["lead-purchases"][":id"];
  const param = { id: purchaseId };
  if ("contact" in update) {
    const { contact } = update;
    // A clock that was ahead has been set right since.
    const at = contact.at ?? (isLate ? Math.min(madeAt, Date.now()) : undefined);
    const json = { ...contact, madeBy, ...(at !== undefined && { at }) };
    return unwrap(purchase.contacts.$post({ param, json }));
  }
  const { was, ...fields } = update;
  const json = { ...fields, madeBy, ...(isLate && was && { was }) };
  return unwrap(purchase["sales-stage"].$patch({ param, json }));
}

const userOf = (client: QueryClient) => client.getQueryData<CurrentUser | null>(ME_KEY);

/** Whether this device keeps changes: an admin's look through somebody's eyes leaves nothing behind. */
export const isKeptHere = (client: QueryClient) => userOf(client)?.isImpersonating === false;

let lastAt = 0;

/** A change that is made now, by whoever is signed in. */
export function changeOf(client: QueryClient, purchaseId: string, update: Change["update"]): Change {
  // No two at the same time.
  lastAt = Math.max(Date.now(), lastAt + 1);
  const name = findPurchase(client, purchaseId)?.customerName;
  return { purchaseId, userId: userOf(client)?.id ?? "", madeAt: lastAt, update, ...(name && { name }) };
}

function makeQueue(client: QueryClient) {
  let stored: Promise<unknown> = Promise.resolve();
  /** One after the other: what is kept takes longer than what is forgotten. */
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = stored.then(work);
    stored = done;
    return done;
  };
  /** Refused, and this device could not be made to keep that: should the page go, they are sent, and told of, again. */
  const untold = new Set<string>();
  return new ChangeQueue({
    send: async (change, isLate) => {
      try {
        return await sendChange(change, isLate);
      } catch (error) {
        // Nobody is signed in any more, or somebody else: this page is not theirs.
        if (codeOf(error) === "unauthenticated") void askWhoWeAre(client);
        throw error;
      }
    },
    keep: (change) => next(async () => isKeptHere(client) && keepSealed(nameOf(change), change)),
    forget: (change) =>
      void next(async () => {
        if (!untold.has(change.update.changeKey)) await dropSealed(nameOf(change));
      }),
    giveUp: (change, error) => {
      const isTold = refusals(client).add(change, error, isKeptHere(client));
      void next(async () => {
        if (!(await isTold)) untold.add(change.update.changeKey);
      });
    },
  });
}

const queues = new WeakMap<QueryClient, ReturnType<typeof makeQueue>>();

/** The one of a window. */
export function changeQueue(client: QueryClient): ReturnType<typeof makeQueue> {
  const queue = queues.get(client) ?? makeQueue(client);
  queues.set(client, queue);
  return queue;
}

/**
 * What this person's earlier visits left on this device, in the order in which it was made. What somebody else left
 * here, whose session ended, is wiped: their changes, and the leads that were kept for them.
 */
export async function readKeptChanges(userId: string): Promise<Change[]> {
  const [kept, leads] = await Promise.all([
    readAllSealed<Change>(WAITING),
    readSealed<{ user: { id: string } }>(KEPT_PIPELINE),
  ]);
  // A clock that was set back since sorts nothing before them.
  lastAt = Math.max(lastAt, ...kept.map(({ madeAt }) => madeAt));
  const others = kept.filter((change) => change.userId !== userId).map(nameOf);
  if (leads && leads.user.id !== userId) others.push(KEPT_PIPELINE);
  await Promise.all(others.map(dropSealed));
  return kept.filter((change) => change.userId === userId);
}

/**
 * Sends what waits, as far as this page can: what an earlier page kept is sent by the dashboard alone.
 * @param withinMs how long it may take
 * @returns how many changes are not saved then, and how many have been refused, which nobody has seen yet
 */
export async function finishChanges(
  client: QueryClient,
  withinMs: number,
): Promise<{ waiting: number; refused: number }> {
  const left = await changeQueue(client).finish(withinMs);
  const kept = await sealedNames(WAITING);
  const told = refusals(client).told();
  // Of this window or of others: one that lies here and is known as well counts once.
  const names = new Set([...kept, ...left.map(nameOf)]);
  for (const { at, key } of told) names.delete(keptName(WAITING, at, key));
  return { waiting: names.size, refused: await countRefusals(client) };
}

/** Whether a purchase has changes that are kept on this device and not on the server yet. */
export function useLateChanges(purchaseId: string): boolean {
  const queue = changeQueue(useQueryClient());
  const read = useCallback(() => queue.isLate(purchaseId), [queue, purchaseId]);
  return useSyncExternalStore(queue.subscribe, read, () => false);
}
