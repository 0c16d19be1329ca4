import { flashCookie } from "./flash.ts";

/** Maximum automatic reloads per window. The window stays usable even if a part never loads. */
const MAX_RELOADS = 3;
const KEY = "reloaded";

/**
 * Returns a dialog or field that a reload would close or clear. After a tap, a purchase's dialog does not count: the
 * lead stays held and the buyer can resume.
 */
const isBusy = (isAsked: boolean) =>
  document.querySelector(
    `dialog[open]${isAsked ? ":not([data-on-page])" : ""}, :is(input, textarea, select):focus`,
  );

/**
 * Reloads the page if the server is reachable and the user is not busy. Browsers before mid-2026 remember a failed
 * module for the page's lifetime and do not request it again (https://github.com/whatwg/html/pull/10327). Chromium 156
 * does request it again; Chromium 150 did not.
 * @param isAsked whether the user just tapped for this; otherwise at most three reloads
 */
export async function reload(isAsked: boolean): Promise<void> {
  try {
    const times = Number(sessionStorage.getItem(KEY));
    if (times >= MAX_RELOADS && !isAsked) return;
    const { ok } = await fetch("/app.webmanifest", { method: "HEAD", cache: "no-store" });
    if (!ok || isBusy(isAsked)) return;
    if (isAsked) document.cookie = flashCookie(KEY);
    else sessionStorage.setItem(KEY, `${times + 1}`);
    location.reload();
  } catch {
    // Do nothing when offline or without storage. Without storage, reloading could loop.
  }
}
