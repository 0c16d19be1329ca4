import { useQuery } from "@tanstack/react-query";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const TEAM_KEY = ["team-members"] as const;

/** Query key of the names in a business, for mentions. They change when the team changes. */
export const TEAM_NAMES_KEY = ["team-names"] as const;

/** Returns the names in the user's business. They stay fresh for five minutes, because teams rarely change. */
export function useTeamNames(isNeeded = true) {
  return useQuery({
    queryKey: TEAM_NAMES_KEY,
    queryFn: () => unwrap(browserApi().api["team-members"].names.$get()),
    staleTime: 5 * 60_000,
    enabled: isNeeded,
  });
}

/** Returns the owner's team. Only owners may request it. */
export function useTeam() {
  return useQuery({
    queryKey: TEAM_KEY,
    queryFn: () => unwrap(browserApi().api["team-members"].$get()),
  });
}
