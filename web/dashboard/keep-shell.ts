/** The service worker handles the application's own pages only. */
const SCRIPT = "/app-worker.js";
const SCOPE = "/dashboard";

let isAsked = false;

/** Tells the service worker to cache the offline page, once per visit. */
export function keepShell(): void {
  if (isAsked || !("serviceWorker" in navigator) || !navigator.onLine) return;
  isAsked = true;
  void ask().catch(() => {
    // The browser forbids it or is offline. The next call retries.
    isAsked = false;
  });
}

async function ask(): Promise<void> {
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to a worker has no target origin
  worker?.postMessage("keep-shell");
}
