import type { QueryClient } from "@tanstack/react-query";

export const OVERVIEW_KEY = ["admin", "overview"] as const;

/** Reloads an admin list, the provider's page and the counts of waiting items after an action. */
export function refreshAdmin(client: QueryClient, list: string): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [room, name] }) =>
      room === "admin" && (name === list || name === "provider" || name === OVERVIEW_KEY[1]),
  });
}
