import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { fetchServerRenderedParts } from "./dashboard/lazy-parts.ts";
import { listenForBack } from "./ui/use-close-on-back.ts";

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

listenForBack();

// Load the lazy parts that the server rendered, so that the whole page hydrates at once. A top-level await would
// deadlock: the parts import this module's chunk.
void fetchServerRenderedParts().then(hydrate);
