import { useQuery } from "@tanstack/react-query";

import type { NotificationSettings } from "../../contract/notifications.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const NOTIFICATIONS_KEY = ["notifications"] as const;

/** Returns the user's notification settings. Loads them when they are shown. */
export function useNotifications() {
  return useQuery<NotificationSettings>({
    queryKey: NOTIFICATIONS_KEY,
    queryFn: () => unwrap(browserApi().api.notifications.$get()),
  });
}
