import type { QueryClient } from "@tanstack/react-query";

export const OVERVIEW_KEY = ["admin", "overview"] as const;

/** Asks again for an admin list, for a provider's page and for what waits, after something was done about it. */
export function refreshAdmin(client: QueryClient, list: string): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [room, name] }) =>
      room === "admin" && (name === list || name === "provider" || name === OVERVIEW_KEY[1]),
  });
}
