import { useQuery } from "@tanstack/react-query";

import type { NotificationSettings } from "../../contract/notifications.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const NOTIFICATIONS_KEY = ["notifications"] as const;

/** Where and when the person is told; loaded when it is looked at. */
export function useNotifications() {
  return useQuery<NotificationSettings>({
    queryKey: NOTIFICATIONS_KEY,
    queryFn: () => unwrap(browserApi().api.notifications.$get()),
  });
}
