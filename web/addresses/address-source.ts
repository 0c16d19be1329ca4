import { suburbPart, withSuburb } from "../../contract/address.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";

/** One suggestion under an address field. */
export type AddressSuggestion = {
  id: string;
  main: string;
  more: string;
  /** Returns the text for the field; null when the place has no address after all. */
  address: () => Promise<string | null>;
};

/** A source of suggestions. */
export type AddressSource = {
  /** @throws when the source is unavailable */
  suggest(typed: string): Promise<AddressSuggestion[]>;
  /** Shorter texts are not looked up. */
  minLength: number;
  /** The attribution that the list has to show. */
  credit: string | null;
};

/** The data for Google's suggestions: the operator's key and our own script, fetched on demand. */
export type MapsSource = { key: string; file: string };

/** The message when Google's suggestions are unavailable. */
export const MAPS_FAILED = "Failed to load Google Maps API";

const known = new Map<string, SuburbSuggestion[]>();

async function fetchSuburbs(part: string): Promise<SuburbSuggestion[]> {
  const response = await fetch(`/api/suburbs/suggest?${new URLSearchParams({ q: part })}`);
  return response.ok ? ((await response.json()) as SuburbSuggestion[]) : [];
}

/** Returns the text after a suburb's name, with the council if several suburbs share the name. */
export function placeLine(suburb: SuburbSuggestion, among: readonly SuburbSuggestion[]): string {
  const { name, state, postcode, council } = suburb;
  const isShared = among.filter((other) => other.name === name).length > 1;
  return `${state} ${postcode}${isShared ? `, ${council}` : ""}`;
}

/** Our own list of suburbs. It completes an address's suburb; the street is free text. */
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
