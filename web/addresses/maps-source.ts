import { addresses } from "virtual:document-scripts";
import type { RouterContextProvider } from "react-router";

import { policyContext, requestContext } from "../lib/server-context.ts";
import type { MapsSource } from "./address-source.ts";

/**
 * Returns an address field's loader data, and allows Google in the page's policy.
 * @returns null without the operator's key; the field then uses our own list of suburbs
 */
export function getMapsSource(context: Readonly<RouterContextProvider>): MapsSource | null {
  const { mapsKey } = context.get(requestContext);
  if (!mapsKey) return null;
  context.get(policyContext).completesAddresses = true;
  // Omit the module's imports, because the islands have already loaded them.
  return { key: mapsKey, file: addresses["addresses/google-places.ts"]!.split(" ")[0]! };
}
