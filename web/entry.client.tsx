import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { fetchDrawnParts } from "./dashboard/late-parts.ts";
import { noteLostStyles } from "./lib/lost-styles.ts";

addEventListener("error", noteLostStyles, true);

// What the server has drawn wakes up whole, late parts with it.
await fetchDrawnParts();

/** Brings a page of the signed-in application to life. Documents have a script of their own: site/document.ts. */
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
