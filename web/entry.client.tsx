import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { fetchDrawnParts } from "./dashboard/late-parts.ts";
import { noteLostStyles } from "./lib/lost-styles.ts";

addEventListener("error", noteLostStyles, true);

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

// Load the lazy parts that the server rendered, so that the whole page hydrates at once. A top-level await would
// deadlock: the parts import this module's chunk.
void fetchDrawnParts().then(hydrate);
