import { flashCookie } from "./flash.ts";

/** Unasked, a page loads anew at most so often: should a part be missing for good, it stays usable. */
const APART_MS = 60_000;
const KEY = "reloaded";

/**
 * What a reload would take away: a dialog, or something being typed. Whoever taps in a purchase's dialog finds back to
 * it: the lead stays set aside.
 */
const isBusy = (isAsked: boolean) =>
  document.querySelector(`dialog[open]${isAsked ? ":not([data-on-page])" : ""}`) ??
  document.activeElement?.matches("input, textarea, select");

/**
 * Loads the page anew, if the server can be reached and nobody is in the middle of something. Browsers remember a
 * module that did not come for as long as the page lives, and never ask for it again
 * (https://github.com/whatwg/html/issues/6768).
 * @param isAsked whether somebody has just tapped for it; else once a minute at most
 */
export async function reload(isAsked: boolean): Promise<void> {
  try {
    const isTooSoon = Date.now() - Number(sessionStorage.getItem(KEY)) < APART_MS;
    if (isBusy(isAsked) || (isTooSoon && !isAsked)) return;
    const { ok } = await fetch("/app.webmanifest", { method: "HEAD", cache: "no-store" });
    if (!ok || isBusy(isAsked)) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    if (isAsked) document.cookie = flashCookie("reloaded");
    location.reload();
  } catch {
    // Offline still, or without storage, which alone keeps a page from loading for ever.
  }
}
