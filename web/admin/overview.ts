import type { MutationEffects, ToastText } from "../lib/query-client.ts";

export const OVERVIEW_KEY = ["admin", "overview"] as const;

/**
 * Returns the `meta` of an admin's action. It reloads a list, the provider's page and the counts of waiting items, even
 * after a failure: another admin has probably changed the row already.
 * @param list the list's name in its query key
 */
export function adminMeta(list: string, failed: string, done?: ToastText): MutationEffects {
  return {
    ...(done && { done }),
    failed: { title: failed, description: "Please try again." },
    refreshes: [["admin", list], ["admin", "provider"], OVERVIEW_KEY],
  };
}
