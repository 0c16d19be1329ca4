import { addresses } from "virtual:document-scripts";
import type { RouterContextProvider } from "react-router";

import { policyContext, requestContext } from "../lib/server-context.ts";
import type { MapsSource } from "./address-source.ts";

/**
 * Returns the loader data of an address field, and lets the page's policy allow it.
 * @returns null without the operator's key: our own list of suburbs completes addresses
 */
export function mapsFor(context: Readonly<RouterContextProvider>): MapsSource | null {
  const { mapsKey } = context.get(requestContext);
  if (!mapsKey) return null;
  context.get(policyContext).completesAddresses = true;
  // Omit the module's imports: the islands have loaded them already.
  return { key: mapsKey, file: addresses["addresses/google-places.ts"]!.split(" ")[0]! };
}
