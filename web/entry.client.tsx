import { requireText } from "./site/require-text.ts";
import { showStickyBar } from "./site/show-sticky-bar.ts";

/**
 * The one script of every page, about 1 kB. A document (a visitor's page) gets its islands as they are
 * needed; a page of the signed-in application gets React Router, which is fetched only there.
 */
const islands = import.meta.glob("./**/*.island.tsx");

if (document.documentElement.dataset.kind === "app") {
  void import("./app/start.tsx");
} else {
  for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) arm(element);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-require-text]")) requireText(form);
  for (const bar of document.querySelectorAll<HTMLElement>("[data-sticky-bar]")) showStickyBar(bar);
}

/** Fetches an island's code at once (`data-when="now"`) or when it is first touched or focused. */
function arm(element: HTMLElement) {
  const load = islands[element.dataset.island!];
  if (!load) return;
  let started = false;
  const start = async () => {
    if (started) return;
    started = true;
    try {
      const [{ hydrateIsland }, module] = await Promise.all([import("./lib/hydrate-island.tsx"), load()]);
      hydrateIsland(element, module as { default: React.ComponentType<object> });
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
