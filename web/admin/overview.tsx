import { useQuery } from "@tanstack/react-query";

import type { AdminOverview } from "../../contract/admin.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import type { MutationEffects, ToastText } from "../lib/query-client.ts";

const OVERVIEW_KEY = ["admin", "overview"] as const;

/** Returns the counts of waiting items; undefined while they load. */
export function useWaiting(): AdminOverview | undefined {
  const { data } = useQuery({
    queryKey: OVERVIEW_KEY,
    queryFn: () => unwrap(adminApi().overview.$get()),
    staleTime: 0,
    refetchInterval: 60_000,
  });
  return data;
}

/** Shows the number of waiting items beside a link's text. Renders nothing if none waits. */
export function WaitingCount({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <span className="admin__count">
      {count}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
}

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
