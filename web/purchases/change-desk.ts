/** The changes of a window that are on their way, and those that wait on this device for a connection. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { ME_KEY } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { dropSealed, keepSealed, readAllSealed } from "../lib/sealed-store.ts";
import { type Change, ChangeQueue } from "./change-queue.ts";

const PREFIX = "change:";

/** Names sort as the changes were made. */
const nameOf = ({ madeAt, update }: Change) =>
  `${PREFIX}${String(madeAt).padStart(16, "0")}:${update.changeKey}`;

/** Sends a change to the server. @throws ApiError; TypeError when offline */
export function sendChange({ purchaseId, update: { was, ...update } }: Change, isLate: boolean) {
  const json = isLate && was ? { ...update, was } : update;
  return unwrap(
    browserApi().api["lead-purchases"][":id"]["sales-stage"].$patch({ param: { id: purchaseId }, json }),
  );
}

const userOf = (client: QueryClient) => client.getQueryData<CurrentUser | null>(ME_KEY);

/** Whether this device keeps changes: an admin's look through somebody's eyes leaves nothing behind. */
export const isKeptHere = (client: QueryClient) => userOf(client)?.isImpersonating === false;

let lastAt = 0;

/** A change that is made now, by whoever is signed in. */
export function changeOf(client: QueryClient, purchaseId: string, update: Change["update"]): Change {
  // No two at the same time.
  lastAt = Math.max(Date.now(), lastAt + 1);
  return { purchaseId, userId: userOf(client)?.id ?? "", madeAt: lastAt, update };
}

function makeQueue(client: QueryClient) {
  /** One after the other: what is kept takes longer than what is forgotten. */
  let stored = Promise.resolve();
  return new ChangeQueue({
    send: sendChange,
    keep: (change) => {
      if (isKeptHere(client)) stored = stored.then(() => keepSealed(nameOf(change), change));
    },
    forget: (change) => {
      stored = stored.then(() => dropSealed(nameOf(change)));
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

/** What this person's earlier visits left on this device, in the order in which it was made. */
export async function readKeptChanges(userId: string): Promise<Change[]> {
  const kept = await readAllSealed<Change>(PREFIX);
  return kept.filter((change) => change.userId === userId);
}

/** Whether a purchase has changes that are kept on this device and not on the server yet. */
export function useLateChanges(purchaseId: string): boolean {
  const queue = changeQueue(useQueryClient());
  const read = useCallback(() => queue.isLate(purchaseId), [queue, purchaseId]);
  return useSyncExternalStore(queue.subscribe, read, () => false);
}
