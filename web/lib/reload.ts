import { flashCookie } from "./flash.ts";

/** Maximum automatic reloads per window. The window stays usable even if a part never loads. */
const MAX_RELOADS = 3;
const KEY = "reloaded";

/**
 * Returns a dialog or field that a reload would close or clear. After a tap, a purchase's dialog does not count: the
 * lead stays held and the buyer can resume.
 */
const findOpenInput = (isUserInitiated: boolean) =>
  document.querySelector(
    `dialog[open]${isUserInitiated ? ":not([data-on-page])" : ""}, :is(input, textarea, select):focus`,
  );

/**
 * Reloads the page if the server is reachable and the user is not busy. Browsers before mid-2026 remember a failed
 * module for the page's lifetime and do not request it again (https://github.com/whatwg/html/pull/10327). Chromium 156
 * does request it again; Chromium 150 did not.
 * @param isUserInitiated whether the user just tapped for this; otherwise at most three reloads
 */
export async function reloadIfIdle(isUserInitiated: boolean): Promise<void> {
  try {
    const times = Number(sessionStorage.getItem(KEY));
    if (times >= MAX_RELOADS && !isUserInitiated) return;
    const { ok } = await fetch("/app.webmanifest", { method: "HEAD", cache: "no-store" });
    if (!ok || findOpenInput(isUserInitiated)) return;
    if (isUserInitiated) document.cookie = flashCookie(KEY);
    else sessionStorage.setItem(KEY, `${times + 1}`);
    location.reload();
  } catch {
    // Do nothing when offline or without storage. Without storage, reloading could loop.
  }
}
