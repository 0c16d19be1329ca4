import { extractSuburbQuery, replaceSuburb } from "../../contract/address.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";

/** A suggestion under an address field. */
export type AddressSuggestion = {
  id: string;
  main: string;
  more: string;
  /**
   * Returns the text for the field, or null if the place turns out to have no address.
   * @param now the field's text when the visitor chooses
   */
  address: (now: string) => Promise<string | null>;
};

/** The last suggestion of a list: the visitor types the suburb and the postcode in fields of their own. */
export const NONE_OF_THESE: AddressSuggestion = {
  id: "none",
  main: "None of these",
  more: "",
  address: async () => null,
};

/** A source of suggestions. */
export type AddressSource = {
  /** @throws when the source is unavailable */
  suggest(typed: string): Promise<AddressSuggestion[]>;
  /** Minimum characters before we fetch suggestions. */
  minLength: number;
  /** The attribution that the list must show. */
  attribution: string | null;
};

/** Data for Google's suggestions: the operator's key, and the URL of our script, which loads on demand. */
export type MapsSource = { key: string; file: string };

/** The message when Google's suggestions are unavailable. */
export const MAPS_FAILED = "Failed to load Google Maps API";

const known = new Map<string, SuburbSuggestion[]>();

async function fetchSuburbs(part: string): Promise<SuburbSuggestion[]> {
  const response = await fetch(`/api/suburbs/suggest?${new URLSearchParams({ q: part })}`);
  return response.ok ? ((await response.json()) as SuburbSuggestion[]) : [];
}

/** Returns the text after a suburb's name. It includes the council if several suburbs share the name. */
export function formatSuburbLine(suburb: SuburbSuggestion, among: readonly SuburbSuggestion[]): string {
  const { name, state, postcode, council } = suburb;
  const isAmbiguous = among.filter((other) => other.name === name).length > 1;
  return `${state} ${postcode}${isAmbiguous ? `, ${council}` : ""}`;
}

/** Suggests suburbs from our own list. The visitor types the street. */
export const ownSuburbs: AddressSource = {
  minLength: 3,
  attribution: null,
  async suggest(typed) {
    const part = extractSuburbQuery(typed);
    if (!part) return [];
    const found = known.get(part) ?? (await fetchSuburbs(part));
    known.set(part, found);
    return found.map((suburb) => ({
      id: `${suburb.name}-${suburb.postcode}`,
      main: suburb.name,
      more: formatSuburbLine(suburb, found),
      address: async (now) => replaceSuburb(now, suburb),
    }));
  },
};
