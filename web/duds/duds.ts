import { useQuery } from "@tanstack/react-query";

import type { DudDesk } from "../../contract/duds.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const DUDS_KEY = ["duds"] as const;

/** A business's reports and its free claims; null until they are known. */
export function useDudDesk(): DudDesk | null {
  const { data } = useQuery({
    queryKey: DUDS_KEY,
    queryFn: () => unwrap(browserApi().api.duds.$get()),
    // Answered by an admin meanwhile: looked up when the dashboard is opened, and with every purchase's news.
    staleTime: 60_000,
  });
  return data ?? null;
}
