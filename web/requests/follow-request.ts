/** Keeps a request's page current: asks for the request while the page is visible, and reloads when it has changed. */
const ASK_EVERY_MS = 20_000;

const shown = document.querySelector<HTMLElement>("[data-request]")?.dataset.request;
const token = location.pathname.split("/").at(-1) ?? "";

async function reloadIfChanged() {
  if (document.visibilityState !== "visible") return;
  // Keep what the customer is typing.
  if (document.activeElement?.closest("form")) return;
  const response = await fetch(`/api/requests?token=${encodeURIComponent(token)}`).catch(() => null);
  // Navigate instead of reloading, because a reload would repeat a posted form. A link with a fragment would only scroll.
  if (response?.ok && (await response.text()) !== shown) location.replace(location.pathname);
}

if (shown) {
  // Confirms a customer who came from an email or a text. Mail scanners fetch the page without its script.
  void fetch("/api/requests/opened", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  }).catch(() => null);
  // The page has shown the saved change. Without the query, the next load shows the latest news.
  history.replaceState(null, "", location.pathname);
  setInterval(() => void reloadIfChanged(), ASK_EVERY_MS);
  document.addEventListener("visibilitychange", () => void reloadIfChanged());
}
