import { addresses } from "virtual:document-scripts";
import type { RouterContextProvider } from "react-router";

import { policyContext, requestContext } from "../lib/server-context.ts";
import type { MapsSource } from "./address-source.ts";

/**
 * What a page with an address field hands it; the page's policy follows.
 * @returns null without the operator's key: addresses are completed from our own list of suburbs
 */
export function mapsFor(context: Readonly<RouterContextProvider>): MapsSource | null {
  const { mapsKey } = context.get(requestContext);
  if (!mapsKey) return null;
  context.get(policyContext).completesAddresses = true;
  // What the module imports is the islands' own and there already.
  return { key: mapsKey, file: addresses["addresses/google-places.ts"]!.split(" ")[0]! };
}
