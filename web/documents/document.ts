import type { ComponentType } from "react";

import type { hydrateIsland } from "./hydrate-island.tsx";
import { signFirstTouch } from "./form-start.ts";
import { listenToToasts } from "../ui/toast-gestures.ts";
import { requireText } from "./require-text.ts";
import { showStickyBar } from "./show-sticky-bar.ts";

/**
 * The one script of documents that have something to bring to life; the others have none. Islands come
 * alive when they are first touched or focused; what is sure to be needed is fetched before.
 */
function startScripts() {
  for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) arm(element);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-require-text]")) requireText(form);
  listenToToasts();
  for (const bar of document.querySelectorAll<HTMLElement>("[data-sticky-bar]")) showStickyBar(bar);
  addEventListener("keydown", leaveOnEscape);
}

/** Escape means a page's cross, where it has one. */
function leaveOnEscape(event: KeyboardEvent) {
  const cross = document.querySelector<HTMLElement>("[data-close]");
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !cross) return;
  if (document.querySelector("dialog[open]")) return;
  // Otherwise the question that the cross may ask is closed by the very same key.
  event.preventDefault();
  cross.click();
}

/** The page is drawn first; nobody touches anything before. */
requestAnimationFrame(() => setTimeout(startScripts));

/** A mouse that comes near, a finger, or the keyboard. */
const TOUCHES = ["pointerover", "touchstart", "focusin"];

type IslandModule = { default: ComponentType<object>; hydrateIsland: typeof hydrateIsland };

function filesOf(element: HTMLElement): string[] {
  return element.dataset.island!.split(" ");
}

/** Fetches modules without running them, once the page itself is there. */
function fetchAhead(files: readonly string[]) {
  if (document.readyState !== "complete") {
    addEventListener("load", () => fetchAhead(files), { once: true });
    return;
  }
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = file;
    document.head.appendChild(link);
  }
}

/** Whether an unsent request of this page was kept, by `quotes/draft.ts`: what that contains would be too much here. */
function hasDraft(): boolean {
  try {
    return sessionStorage.getItem(`draft ${location.pathname}`) !== null;
  } catch {
    // Storage is switched off: nothing is ever kept.
    return false;
  }
}

function arm(element: HTMLElement) {
  let started = false;
  let tapped: HTMLElement | null | undefined;
  // Before the browser may translate it.
  const html = element.innerHTML;
  const start = async () => {
    if (started) return;
    started = true;
    try {
      // The island and what it imports, all at once.
      const modules = filesOf(element).map(
        (file) => import(/* @vite-ignore */ file) as Promise<IslandModule>,
      );
      const island = (await Promise.all(modules))[0]!;
      island.hydrateIsland(element, island.default, html);
      // React has listened since this moment; what was tapped before is carried out now.
      tapped?.click();
    } catch (error) {
      // A dropped connection: the page works without the island, and the next touch tries again.
      started = false;
      if (import.meta.env.DEV) reportError(error);
    }
  };
  element.addEventListener("click", ({ target }) => {
    // Only script carries these out: other buttons and links work by themselves.
    if (!("alive" in element.dataset)) tapped = (target as Element).closest<HTMLElement>("[type=button]");
  });
  if (element.dataset.when === "now") fetchAhead(filesOf(element));
  // Somebody was quicker than this script, or an unsent request waits to be put back.
  const isAwaited = hasDraft() && element.querySelector("[name=startToken]");
  if (isAwaited || element.matches(":focus-within")) void start();
  for (const touch of TOUCHES) element.addEventListener(touch, start, { passive: true });
  signFirstTouch(element, TOUCHES);
}
