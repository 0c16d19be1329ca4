import type { AddressPlace } from "../../contract/suburbs.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { toPlaceQuery } from "./look-up-place.ts";

/**
 * Looks up an address's suburb for a page rendered on the server.
 * @param values the form's values
 * @returns null for an empty address or a failed lookup; the form works without a suburb
 */
export async function lookUpSuburb(
  api: ApiClient,
  values: Record<string, unknown>,
): Promise<AddressPlace | null> {
  const query = toPlaceQuery(values);
  if (!query.address.trim()) return null;
  return unwrap(api.api.suburbs.by.address.$get({ query })).catch(() => null);
}
