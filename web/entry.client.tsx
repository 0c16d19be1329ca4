import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { fetchServerRenderedParts } from "./dashboard/lazy-parts.ts";
import { recordFailedStyles } from "./lib/failed-styles.ts";
import { listenForBack } from "./ui/use-close-on-back.ts";

addEventListener("error", recordFailedStyles, true);

/**
 * Repeats each of the page's style sheets beside itself, under the address that Vite looks for. React Router adds a "#"
 * to addresses that late parts also need. Vite would append such a sheet again, after sheets that override it.
 */
function repeatStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][href$="#"]')) {
    const copy = link.cloneNode() as HTMLLinkElement;
    copy.setAttribute("href", link.getAttribute("href")!.slice(0, -1));
    link.insertAdjacentElement("afterend", copy);
  }
}

/** Hydrates a page of the signed-in application. Documents have their own script, documents/document.ts. */
function hydrate(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    );
  });
}

repeatStyles();
listenForBack();

// Load the lazy parts that the server rendered, so that the whole page hydrates at once. A top-level await would
// deadlock: the parts import this module's chunk.
void fetchServerRenderedParts().then(hydrate);
