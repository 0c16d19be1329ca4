import type { QueryClient } from "@tanstack/react-query";

import { messageOf } from "../lib/api.ts";
import { refreshRegions } from "../market/market-store.ts";
import { PURCHASES_KEY } from "../purchases/purchases.ts";
import type { ToastMessage } from "../ui/toaster.tsx";

/**
 * Reloads the market and the pipeline on request.
 * @param watched the regions the user watches
 * @returns the toast to show
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
