import type { AddressPlace } from "../../contract/suburbs.ts";

/**
 * Replaces house numbers by zeros. The lookup must not reveal them before the visitor sends the form, but a word behind
 * a number is a street.
 */
function withoutNumbers(address: string): string {
  return address
    .split(/\s+/)
    .map((word) => (/^\d{4}\D?$/.test(word) ? word : word.replaceAll(/\d/g, "0")))
    .join(" ");
}

/** Returns the query of a lookup: the address, with the suburb and the postcode from fields of their own. */
export function toPlaceQuery(values: Record<string, unknown>) {
  const text = (name: string) => (values[name] ?? "") as string;
  return {
    address: text("customerAddress"),
    suburb: text("addressSuburb"),
    postcode: text("addressPostcode"),
  };
}

/**
 * Returns whether the visitor still has to name the suburb. An admin decides on a name that we do not know.
 */
export function needsSuburb(place: AddressPlace | null): boolean {
  return place !== null && !place.suburb && !place.isUnlisted;
}

/**
 * Looks up an address's suburb in our list.
 * @param values the form's values
 * @returns null if the lookup fails; the form does not depend on it
 */
export async function lookUpPlace(values: Record<string, unknown>): Promise<AddressPlace | null> {
  const { address, ...apart } = toPlaceQuery(values);
  const query = new URLSearchParams({ address: withoutNumbers(address), ...apart });
  try {
    const response = await fetch(`/api/suburbs/by/address?${query}`, { signal: AbortSignal.timeout(5_000) });
    return response.ok ? ((await response.json()) as AddressPlace) : null;
  } catch {
    return null;
  }
}
