import { useQueryClient } from "@tanstack/react-query";

import type { LeadAlerts, LeadAlertsForm } from "../../contract/lead-alerts.ts";
import { startOfSydneyDay, SYDNEY } from "../../contract/sydney-time.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { NOTIFICATIONS_KEY } from "./notifications.ts";

/** Returns functions that save the alert settings or the pause, and that cache the response. */
export function useLeadAlerts() {
  const client = useQueryClient();
  return {
    send: (json: LeadAlertsForm) => unwrap(browserApi().api.notifications["lead-alerts"].$put({ json })),
    storeSettings: (leadAlerts: LeadAlerts) =>
      client.setQueryData(
        NOTIFICATIONS_KEY,
        (before: object | undefined) => before && { ...before, leadAlerts },
      ),
  };
}

const days = new Intl.DateTimeFormat("en-AU", {
  timeZone: SYDNEY,
  weekday: "long",
  day: "numeric",
  month: "long",
});

/** Returns a day's name, such as "Monday 7 December". @param day such as "2026-12-07" */
export function dayName(day: string): string {
  return days.format(startOfSydneyDay(day) ?? 0).replace(",", "");
}
