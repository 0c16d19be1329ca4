import { suburbPart, withSuburb } from "../../contract/address.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";

/** One line of the list under an address field. */
export type AddressSuggestion = {
  id: string;
  main: string;
  more: string;
  /** The text the field takes; null when this place has no address after all. */
  address: () => Promise<string | null>;
};

/** Where suggestions come from. */
export type AddressSource = {
  /** @throws when it cannot be asked */
  suggest(typed: string): Promise<AddressSuggestion[]>;
  /** Shorter texts are not looked up. */
  minLength: number;
  /** Whom the list has to name. */
  credit: string | null;
};

/** What Google's suggestions need: the operator's key, and our own part, fetched when it is wanted. */
export type MapsSource = { key: string; file: string };

/** What is said when Google's suggestions cannot be had. */
export const MAPS_FAILED = "Failed to load Google Maps API";

const known = new Map<string, SuburbSuggestion[]>();

async function fetchSuburbs(part: string): Promise<SuburbSuggestion[]> {
  const response = await fetch(`/api/suburbs/suggest?${new URLSearchParams({ q: part })}`);
  return response.ok ? ((await response.json()) as SuburbSuggestion[]) : [];
}

/** What stands behind a suburb's name: where several bear it, the council as well. */
export function placeLine(suburb: SuburbSuggestion, among: readonly SuburbSuggestion[]): string {
  const { name, state, postcode, council } = suburb;
  const isShared = among.filter((other) => other.name === name).length > 1;
  return `${state} ${postcode}${isShared ? `, ${council}` : ""}`;
}

/** Our own localities: they complete the suburb of an address, the street is free text. */
export const ownSuburbs: AddressSource = {
  minLength: 3,
  credit: null,
  async suggest(typed) {
    const part = suburbPart(typed);
    if (!part) return [];
    const found = known.get(part) ?? (await fetchSuburbs(part));
    known.set(part, found);
    return found.map((suburb) => ({
      id: `${suburb.name}-${suburb.postcode}`,
      main: suburb.name,
      more: placeLine(suburb, found),
      address: async () => withSuburb(typed, suburb),
    }));
  },
};
