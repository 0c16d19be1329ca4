import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

const OWN_HOLDS_KEY = ["own-holds"] as const;

/**
 * Channel on which windows of one browser announce their holds. Without it, a window would show its own business's hold
 * as another buyer's.
 */
const CHANNEL = "own-holds";

/** Refetches this business's holds in all windows of this browser. */
export function refreshOwnHolds(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: OWN_HOLDS_KEY });
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
  channel.postMessage(null);
  channel.close();
}

/** Refetches holds when another window of this browser takes or releases one. */
export function useHoldsFromOtherWindows(): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    const handleMessage = () => void client.invalidateQueries({ queryKey: OWN_HOLDS_KEY });
    channel.addEventListener("message", handleMessage);
    return () => channel.close();
  }, [client]);
}

/**
 * Returns the IDs of the leads that this business holds, so that a reloaded window can resume the purchases.
 * @param isBuyer whether the user may buy; if false, nothing is fetched
 */
export function useOwnHolds(isBuyer: boolean): ReadonlySet<string> {
  const { data } = useQuery({
    queryKey: OWN_HOLDS_KEY,
    queryFn: () => unwrap(browserApi().api.payments.open.$get()),
    enabled: isBuyer,
    // Try again when online: holds that failed to load may still be ours.
    refetchOnReconnect: true,
    select: (holds) => new Set(holds.map(({ leadId }) => leadId)),
  });
  return data ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
