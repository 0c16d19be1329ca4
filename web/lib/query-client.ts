import { QueryClient } from "@tanstack/react-query";

/**
 * Returns a query cache: one per request on the server, one per browser. Data never goes stale by itself; live events
 * and the user's own changes update it.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // Our own messages report offline, instead of a silent wait.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
