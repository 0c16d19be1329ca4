import { spellOut } from "./spelling.ts";

/** A suburb as far as finding an address's region needs it. */
export type Place = {
  id: string;
  name: string;
  postcode: string;
  council: string;
  state: string;
  region: string;
  latitude: number;
  longitude: number;
  population: number;
};

const MAX_NAME_WORDS = 3; // the longest of our 4,499 names
const WORDS_LOOKED_AT = 14;

/** An address's words, spelt out, without hyphens: three of our names have some. */
function words(address: string): string[] {
  return spellOut(
    address
      .toLowerCase()
      .replaceAll("’", "'")
      .replaceAll(/[^a-z0-9']+/g, " ")
      .split(/\s+/)
      .filter(Boolean),
  );
}

/** The ways a run of words may stand in our list: "brighton le sands" as "brighton-le-sands". */
function withHyphens(run: readonly string[]): string[] {
  const whole = run.join(" ");
  return run.length < 3 ? [whole] : [whole, run.join("-"), `${run[0]} ${run.slice(1).join("-")}`];
}

/** Kinds of streets, as addresses abbreviate them. */
export const STREET_KINDS = new Set(
  "st street rd road ave av avenue cres crescent ct court dr drive pl place ln lane pde parade hwy highway cl close bvd blvd boulevard tce terrace way cct circuit gr grove esp esplanade".split(
    " ",
  ),
);

/** Where in an address a suburb's name ends for the last time; -1 when only a street bears it, or nothing. */
function lastMention(list: readonly string[], name: string): number {
  const parts = words(name);
  let end = -1;
  for (let start = 0; start + parts.length <= list.length; start++) {
    if (!parts.every((part, i) => list[start + i] === part)) continue;
    if (!STREET_KINDS.has(list[start + parts.length] ?? "")) end = start + parts.length;
  }
  return end;
}

/** What an address may name: every postcode-like number, and every run of words that could be a suburb. */
export function placeHints(address: string): { postcodes: string[]; names: string[] } {
  const list = words(address).slice(-WORDS_LOOKED_AT);
  const postcodes = list.filter((word) => /^\d{4}$/.test(word));
  const names = new Set<string>();
  for (let start = 0; start < list.length; start++) {
    for (let length = 1; length <= MAX_NAME_WORDS && start + length <= list.length; length++) {
      for (const name of withHyphens(list.slice(start, start + length))) names.add(name);
    }
  }
  return { postcodes, names: [...names] };
}

/**
 * The suburb an address most likely means.
 * A name together with its postcode wins; then a name alone, the one written last and, among equals, the
 * most populous; then a postcode alone. Streets named after a suburb are all over the state.
 * @param candidates suburbs whose name or postcode occurs in the address
 * @returns null when nothing fits
 */
export function choosePlace(address: string, candidates: readonly Place[]): Place | null {
  const list = words(address);
  const { postcodes } = placeHints(address);
  const ranked = candidates
    .map((place) => {
      const end = lastMention(list, place.name);
      const coded = postcodes.includes(place.postcode);
      return { place, end, rank: (end >= 0 ? 4 : 0) + (coded ? 2 : 0) };
    })
    .filter((candidate) => candidate.rank > 0)
    // A written postcode that fits no named suburb is a typo in one of the two: trust the name.
    .toSorted(
      (a, b) =>
        b.rank - a.rank ||
        b.end - a.end ||
        // "North Sydney" rather than "Sydney"; for a postcode alone a name's length says nothing.
        (a.end < 0 ? 0 : b.place.name.length - a.place.name.length) ||
        b.place.population - a.place.population,
    );
  return ranked[0]?.place ?? null;
}

const MOST_AREAS = 40;

/**
 * What a provider's own words about where they work may name, such as "Sydney, 2040 and Manly".
 * @returns postcodes and names in lower case, each once
 */
export function areaHints(areas: string): { postcodes: string[]; names: string[] } {
  const parts = areas
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[,;\n/]+|\band\b|&/)
    .map((part) => part.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean)
    .slice(0, MOST_AREAS);
  const postcodes = parts.flatMap((part) => part.match(/\b\d{4}\b/g) ?? []).slice(0, MOST_AREAS);
  const names = parts.map((part) => part.replaceAll(/\b(?:\d{4}|nsw)\b/g, "").trim()).filter(Boolean);
  return { postcodes: [...new Set(postcodes)], names: [...new Set(names)] };
}
