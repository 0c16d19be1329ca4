import { QueryClient } from "@tanstack/react-query";

/**
 * A cache of the server's answers: one per request on the server, one per browser. Answers never go
 * stale by themselves; live events and the person's own changes update them.
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
        // Offline is told by our own words, not by waiting in silence.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
