import type { QueryClient } from "@tanstack/react-query";

export const OVERVIEW_KEY = ["admin", "overview"] as const;

/** Reloads an admin list, a provider's page and the waiting counts after an action. */
export function refreshAdmin(client: QueryClient, list: string): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [room, name] }) =>
      room === "admin" && (name === list || name === "provider" || name === OVERVIEW_KEY[1]),
  });
}
