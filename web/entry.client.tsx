import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { fetchDrawnParts } from "./dashboard/late-parts.ts";
import { noteLostStyles } from "./lib/lost-styles.ts";

addEventListener("error", noteLostStyles, true);

// Load the lazy parts that the server rendered, so that the whole page hydrates at once.
await fetchDrawnParts();

/** Hydrates a page of the signed-in application. Documents have their own script, documents/document.ts. */
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
