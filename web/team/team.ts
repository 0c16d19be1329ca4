import { useQuery } from "@tanstack/react-query";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const TEAM_KEY = ["team-members"] as const;

/** The names of everybody in a business, for mentions; they change when its team does. */
export const TEAM_NAMES_KEY = ["team-names"] as const;

/** The names of the caller's business; they change as seldom as a team does. */
export function useTeamNames(isNeeded = true) {
  return useQuery({
    queryKey: TEAM_NAMES_KEY,
    queryFn: () => unwrap(browserApi().api["team-members"].names.$get()),
    staleTime: 5 * 60_000,
    enabled: isNeeded,
  });
}

/** The owner's team. @param isOwner only owners may ask */
export function useTeam(isOwner: boolean) {
  return useQuery({
    queryKey: TEAM_KEY,
    queryFn: () => unwrap(browserApi().api["team-members"].$get()),
    enabled: isOwner,
  });
}
