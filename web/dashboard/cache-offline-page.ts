import { loadNotifications } from "../notifications/notifications.ts";

/** The service worker's scope: dashboard pages only. */
const SCRIPT = "/app-worker.js";
const SCOPE = "/dashboard";

let isRequested = false;

/** Tells the service worker to cache the offline page, once per visit. */
export function cacheOfflinePage(): void {
  if (isRequested || !("serviceWorker" in navigator) || !navigator.onLine) return;
  isRequested = true;
  void requestCaching().catch(() => {
    // The browser forbids it or is offline. The next call retries.
    isRequested = false;
  });
}

async function requestCaching(): Promise<void> {
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to a worker has no target origin
  worker?.postMessage("cache-offline-page");
  // A user who allowed notifications here may have lost the subscription. Loading the settings restores it.
  const mayNotify = globalThis.Notification?.permission === "granted";
  if (mayNotify && (await registration.pushManager?.getSubscription()) === null) await loadNotifications();
}
