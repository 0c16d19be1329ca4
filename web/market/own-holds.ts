import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

const OWN_HOLDS_KEY = ["own-holds"] as const;

/** Windows of one browser tell each other here: a lead held in one is not somebody else's in the next. */
const CHANNEL = "own-holds";

/** Asks anew for the leads this business is paying for, in every window of this browser. */
export function refreshOwnHolds(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: OWN_HOLDS_KEY });
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is for its own origin alone
  channel.postMessage(null);
  channel.close();
}

/** Asks anew whenever another window of this browser set a lead aside or let one go. */
export function useSharedHolds(): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    const hear = () => void client.invalidateQueries({ queryKey: OWN_HOLDS_KEY });
    channel.addEventListener("message", hear);
    return () => channel.close();
  }, [client]);
}

/**
 * The leads this business is paying for, so that a window that was reloaded finds back to them.
 * @param isBuyer false for those who do not buy; nothing is asked for them
 */
export function useOwnHolds(isBuyer: boolean): ReadonlySet<string> {
  const { data } = useQuery({
    queryKey: OWN_HOLDS_KEY,
    queryFn: () => unwrap(browserApi().api.payments.open.$get()),
    enabled: isBuyer,
    // One that was not heard of offline is not somebody else's.
    refetchOnReconnect: true,
    select: (holds) => new Set(holds.map(({ leadId }) => leadId)),
  });
  return data ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
