import type { QueryClient } from "@tanstack/react-query";

export const OVERVIEW_KEY = ["admin", "overview"] as const;

/** Asks again for an admin list and for what waits, after something was done about it. */
export function refreshAdmin(client: QueryClient, list: string): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [room, name] }) =>
      room === "admin" && (name === list || name === OVERVIEW_KEY[1]),
  });
}
