/** The service worker handles the application's own pages only. */
const SCRIPT = "/app-worker.js";
const SCOPE = "/dashboard";

let isAsked = false;

/** Caches the offline page once a visit, when the browser is idle. */
export function keepShell(): void {
  if (isAsked || !("serviceWorker" in navigator) || !navigator.onLine) return;
  isAsked = true;
  void ask().catch(() => {
    // Forbidden, or offline already. The next call tries again.
    isAsked = false;
  });
}

async function ask(): Promise<void> {
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has no target origin
  worker?.postMessage("keep-shell");
}
