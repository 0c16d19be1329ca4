import { flashCookie } from "./flash.ts";

/** Unasked, a window loads its page anew so often at most: should a part be missing for good, it stays usable. */
const MOST = 3;
const KEY = "reloaded";

/**
 * What a reload would take away: a dialog, or something being typed. Whoever taps in a purchase's dialog finds back to
 * it: the lead stays set aside.
 */
const isBusy = (isAsked: boolean) =>
  document.querySelector(
    `dialog[open]${isAsked ? ":not([data-on-page])" : ""}, :is(input, textarea, select):focus`,
  );

/**
 * Loads the page anew, if the server can be reached and nobody is in the middle of something. Browsers from before
 * the middle of 2026 remember a module that did not come for as long as the page lives, and never ask for it again
 * (https://github.com/whatwg/html/pull/10327; Chromium 156 asks again, 150 did not).
 * @param isAsked whether somebody has just tapped for it; else three times at most
 */
export async function reload(isAsked: boolean): Promise<void> {
  try {
    const times = Number(sessionStorage.getItem(KEY));
    if (times >= MOST && !isAsked) return;
    const { ok } = await fetch("/app.webmanifest", { method: "HEAD", cache: "no-store" });
    if (!ok || isBusy(isAsked)) return;
    if (isAsked) document.cookie = flashCookie(KEY);
    else sessionStorage.setItem(KEY, `${times + 1}`);
    location.reload();
  } catch {
    // Offline still, or without storage, which alone keeps a page from loading for ever.
  }
}
