import type { ComponentType } from "react";

import type { hydrateIsland } from "./hydrate-island.tsx";
import { signFirstTouch } from "./form-start.ts";
import { listenToToasts } from "../ui/toast-gestures.ts";
import { requireText } from "./require-text.ts";
import { showStickyBar } from "./show-sticky-bar.ts";

/**
 * The only script of documents that have something to hydrate; other documents have none. Islands hydrate at the
 * first touch or focus. Code that will certainly be needed is fetched before.
 */
function startScripts() {
  for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) arm(element);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-require-text]")) requireText(form);
  listenToToasts();
  for (const bar of document.querySelectorAll<HTMLElement>("[data-sticky-bar]")) showStickyBar(bar);
  addEventListener("keydown", leaveOnEscape);
}

/** Escape follows the page's close link, if it has one. */
function leaveOnEscape(event: KeyboardEvent) {
  const cross = document.querySelector<HTMLElement>("[data-close]");
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !cross) return;
  if (document.querySelector("dialog[open]")) return;
  // Otherwise the same key press closes the question that the close link may open.
  event.preventDefault();
  cross.click();
}

/** Draw the page first: visitors do not touch it before it is drawn. */
requestAnimationFrame(() => setTimeout(startScripts));

/** A nearby mouse, a finger or the keyboard. */
const TOUCHES = ["pointerover", "touchstart", "focusin"];

type IslandModule = { default: ComponentType<object>; hydrateIsland: typeof hydrateIsland };

function filesOf(element: HTMLElement): string[] {
  return element.dataset.island!.split(" ");
}

/** Fetches modules without running them, once the page has loaded. */
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

/**
 * Returns whether this page has a stored draft. `quotes/draft.ts` writes drafts; its other code would be too much
 * here.
 */
function hasDraft(): boolean {
  try {
    return sessionStorage.getItem(`draft ${location.pathname}`) !== null;
  } catch {
    // Storage is switched off: no draft is ever stored.
    return false;
  }
}

function arm(element: HTMLElement) {
  let started = false;
  let tapped: HTMLElement | null | undefined;
  // Copy the HTML before the browser can translate it.
  const html = element.innerHTML;
  const start = async () => {
    if (started) return;
    started = true;
    try {
      // Load the island and its imports in parallel.
      const modules = filesOf(element).map(
        (file) => import(/* @vite-ignore */ file) as Promise<IslandModule>,
      );
      const island = (await Promise.all(modules))[0]!;
      island.hydrateIsland(element, island.default, html);
      // React handles events from now on: replay the earlier tap.
      tapped?.click();
    } catch (error) {
      // The connection dropped. The page works without the island, and the next touch tries again.
      started = false;
      if (import.meta.env.DEV) reportError(error);
    }
  };
  element.addEventListener("click", ({ target }) => {
    // Only script handles these. Other buttons and links work by themselves.
    if (!("alive" in element.dataset)) tapped = (target as Element).closest<HTMLElement>("[type=button]");
  });
  if (element.dataset.when === "now") fetchAhead(filesOf(element));
  // The visitor focused a field before this script ran, or a draft has to be restored.
  const isAwaited = hasDraft() && element.querySelector("[name=startToken]");
  if (isAwaited || element.matches(":focus-within")) void start();
  for (const touch of TOUCHES) element.addEventListener(touch, start, { passive: true });
  signFirstTouch(element, TOUCHES);
}
