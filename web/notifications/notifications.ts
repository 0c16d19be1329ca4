import { useQuery } from "@tanstack/react-query";

import type { NotificationSettings } from "../../contract/notifications.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const NOTIFICATIONS_KEY = ["notifications"] as const;

/** `isLost`: the server has this device, but the browser no longer has its subscription. */
type LoadedSettings = NotificationSettings & { isLost?: boolean };

let loading: Promise<LoadedSettings> | null = null;

/** Loads the user's notification settings. Calls at the same time share one request, so that they subscribe only once. */
export function loadNotifications(): Promise<LoadedSettings> {
  loading ??= loadAndRestore().finally(() => {
    loading = null;
  });
  return loading;
}

/**
 * Loads the user's notification settings. If this browser has lost its subscription, for example after its data was
 * cleared, subscribes again. Without the permission for that, omits the device.
 */
async function loadAndRestore(): Promise<LoadedSettings> {
  const { notifications } = browserApi().api;
  const settings = await unwrap(notifications.$get());
  const { publicKey, devices } = settings;
  const own = devices.find(({ isCurrent }) => isCurrent);
  if (!own?.endpoint || publicKey === null) return settings;
  const { findEndpoint, subscribe } = await import("./push-subscription.ts");
  if ((await findEndpoint()) === own.endpoint) return settings;
  try {
    const json = globalThis.Notification?.permission === "granted" && (await subscribe(publicKey));
    if (json) {
      await unwrap(notifications.devices.$post({ json }));
      return await unwrap(notifications.$get());
    }
  } catch {
    // The push service or the connection failed, so the page says that notifications are off.
  }
  return { ...settings, devices: devices.filter((device) => device !== own), isLost: true };
}

/** Returns the user's notification settings. Loads them when they are shown. */
export function useNotifications() {
  return useQuery({ queryKey: NOTIFICATIONS_KEY, queryFn: loadNotifications });
}
