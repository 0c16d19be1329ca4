import { useQuery } from "@tanstack/react-query";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const TEAM_KEY = ["team-members"] as const;

/** The names of everybody in a business, for mentions; they change when its team does. */
export const TEAM_NAMES_KEY = ["team-names"] as const;

/** The owner's team. @param isOwner only owners may ask */
export function useTeam(isOwner: boolean) {
  return useQuery({
    queryKey: TEAM_KEY,
    queryFn: () => unwrap(browserApi().api["team-members"].$get()),
    enabled: isOwner,
  });
}
