import type { QueryClient } from "@tanstack/react-query";

import { messageOf } from "../lib/api.ts";
import { refreshRegions } from "../market/market-store.ts";
import { PURCHASES_KEY } from "../purchases/purchases.ts";
import type { ToastMessage } from "../ui/toaster.tsx";

/**
 * Loads the market and the pipeline anew, for people who want to be sure.
 * @param watched the regions somebody watches
 * @returns what to say about it
 */
export async function refreshLists(client: QueryClient, watched: readonly string[]): Promise<ToastMessage> {
  try {
    await Promise.all([
      client.refetchQueries({ queryKey: PURCHASES_KEY }, { throwOnError: true }),
      refreshRegions(client, watched),
    ]);
    return { title: "Refreshed", description: "Lead data updated" };
  } catch (error) {
    return {
      title: "Refresh failed",
      description: messageOf(error, "Please check your connection and try again."),
      tone: "destructive",
    };
  }
}
