/** It stands between the application's own pages and the network, and between no others. */
const SCRIPT = "/app-worker.js";
const SCOPE = "/dashboard";

let isAsked = false;

/** Has the page that works without a connection put by, once a visit, when there is nothing else to do. */
export function keepShell(): void {
  if (isAsked || !("serviceWorker" in navigator) || !navigator.onLine) return;
  isAsked = true;
  void ask().catch(() => {
    // Forbidden, or the connection is gone already: the next visit asks again.
    isAsked = false;
  });
}

async function ask(): Promise<void> {
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has no target origin
  worker?.postMessage("keep-shell");
}
