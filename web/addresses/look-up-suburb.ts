import type { AddressPlace } from "../../contract/suburbs.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";

/** Returns whether the visitor still has to name the suburb. An admin decides on a name that we do not know. */
export function needsSuburb(place: AddressPlace | null): boolean {
  return place !== null && !place.suburb && !place.isUnlisted;
}

/**
 * Looks up an address's suburb in our list.
 * @param values the form's values; the suburb and the postcode may have fields of their own
 * @returns null for an empty address or a failed lookup; the form works without a suburb
 */
export async function lookUpSuburb(
  api: ApiClient,
  values: Record<string, unknown>,
): Promise<AddressPlace | null> {
  const text = (name: string) => (values[name] ?? "") as string;
  const query = {
    address: text("customerAddress"),
    suburb: text("addressSuburb"),
    postcode: text("addressPostcode"),
  };
  if (!query.address.trim()) return null;
  return unwrap(api.api.suburbs.by.address.$get({ query })).catch(() => null);
}
