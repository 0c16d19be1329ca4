import { useQuery } from "@tanstack/react-query";

import { browserApi } from "../lib/browser-api.ts";
import { type MarketState, buildMarket } from "./market.ts";
import { fetchLeads, type LeadPage, MARKET_KEY } from "./market-store.ts";

/** Returns the market of the watched regions, from the loader's first page or from the API. */
export function useMarket(watched: readonly string[], firstPage: LeadPage | null) {
  return useQuery({
    queryKey: MARKET_KEY,
    queryFn: async (): Promise<MarketState> => {
      if (watched.length === 0) return {};
      const { leads, cursor } = await fetchLeads(browserApi(), watched);
      return buildMarket(watched, leads, cursor);
    },
    initialData: firstPage ? buildMarket(watched, firstPage.leads, firstPage.cursor) : undefined,
  });
}
