/** Warns before leaving a page with changes that are neither on the server nor stored on this device. */
import type { QueryClient } from "@tanstack/react-query";

import { getOutbox } from "./use-outbox.ts";

const listenersByClient = new WeakMap<QueryClient, (event: BeforeUnloadEvent) => void>();

/**
 * Warns before the page closes while a change would be lost. This applies to every page of the app. The listener is
 * added only when needed: a permanent one would disable the back/forward cache.
 */
export function warnBeforeUnload(client: QueryClient): void {
  if (listenersByClient.has(client)) return;
  const outbox = getOutbox(client);
  const ask = (event: BeforeUnloadEvent) => outbox.wouldLose() && event.preventDefault();
  listenersByClient.set(client, ask);
  const updateListener = () => {
    // After `stopWarning` the page does not warn again.
    const isOn = outbox.hasUnstored() && listenersByClient.has(client);
    (isOn ? addEventListener : removeEventListener)("beforeunload", ask);
  };
  outbox.subscribe(updateListener);
  updateListener();
}

/** Lets the user leave without a warning. */
export function stopWarning(client: QueryClient): void {
  const ask = listenersByClient.get(client);
  if (ask) removeEventListener("beforeunload", ask);
  listenersByClient.delete(client);
}
