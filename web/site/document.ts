import type { ComponentType } from "react";

import type { hydrateIsland } from "../lib/hydrate-island.tsx";
import { requireText } from "./require-text.ts";
import { showStickyBar } from "./show-sticky-bar.ts";

/**
 * The one script of documents that have something to bring to life; the others have none. Islands are
 * fetched at once (`data-when="now"`) or when they are first touched or focused.
 */
function bringToLife() {
  for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) arm(element);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-require-text]")) requireText(form);
  for (const bar of document.querySelectorAll<HTMLElement>("[data-sticky-bar]")) showStickyBar(bar);
}

// From the browser's cache the script may be here before the page is.
if (document.readyState === "loading") addEventListener("DOMContentLoaded", bringToLife);
else bringToLife();

type IslandModule = { default: ComponentType<object>; hydrateIsland: typeof hydrateIsland };

function arm(element: HTMLElement) {
  let started = false;
  const start = async () => {
    if (started) return;
    started = true;
    try {
      // The island and what it imports, all at once.
      const files = element.dataset.island!.split(" ");
      const modules = files.map((file) => import(/* @vite-ignore */ file) as Promise<IslandModule>);
      const island = (await Promise.all(modules))[0]!;
      island.hydrateIsland(element, island.default);
    } catch {
      // A dropped connection: the page works without the island, and the next touch tries again.
      started = false;
    }
  };
  if (element.dataset.when === "now") void start();
  for (const event of ["pointerover", "touchstart", "focusin"]) {
    element.addEventListener(event, start, { passive: true });
  }
}
