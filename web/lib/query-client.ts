import { QueryClient } from "@tanstack/react-query";

/**
 * Creates a query cache: one per request on the server, one per browser window. Data does not become stale. Live events
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
        // Fail at once when offline, so that our own message appears.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
