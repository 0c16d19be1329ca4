import { spellOut } from "./spelling.ts";

/** Fields of a suburb for matching an address. */
export type SuburbPlace = {
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

const MAX_NAME_WORDS = 3; // longest of our 4,499 names
const MAX_WORDS = 14;

/** A comma or a word of an address, spelled out, with its position in the text. */
type Token = { word: string; at: number };

/** Splits an address into lower-case tokens without hyphens, because three suburb names contain hyphens. */
function tokens(address: string): Token[] {
  const lower = address.toLowerCase().replaceAll("’", "'");
  const found = [...lower.matchAll(/[a-z0-9']+|[,;\n]/g)];
  const spelt = spellOut(found.map(([word]) => word.replace(/[;\n]/, ",")));
  return found.map(({ index }, i) => ({ word: spelt[i]!, at: index }));
}

const isWord = ({ word }: Token) => word !== ",";

function words(address: string): string[] {
  return tokens(address)
    .filter(isWord)
    .map(({ word }) => word);
}

/** Returns the possible hyphenations of a name: "brighton le sands" as "brighton-le-sands". */
function withHyphens(run: readonly string[]): string[] {
  const whole = run.join(" ");
  return run.length < 3 ? [whole] : [whole, run.join("-"), `${run[0]} ${run.slice(1).join("-")}`];
}

/** Street types and their abbreviations. */
export const STREET_KINDS = new Set(
  "st street rd road ave av avenue cres crescent ct court dr drive pl place ln lane pde parade hwy highway cl close bvd blvd boulevard boulevarde tce terrace way cct circuit gr grove esp esplanade walk mews row rise loop link trail track parkway".split(
    " ",
  ),
);

/** Returns all candidates in an address: every postcode-like number, and every run of words that could be a suburb. */
export function placeHints(address: string): { postcodes: string[]; names: string[] } {
  const list = words(address).slice(-MAX_WORDS);
  const postcodes = list.filter((word) => /^\d{4}$/.test(word));
  const names = new Set<string>();
  for (let start = 0; start < list.length; start++) {
    for (let length = 1; length <= MAX_NAME_WORDS && start + length <= list.length; length++) {
      for (const name of withHyphens(list.slice(start, start + length))) names.add(name);
    }
  }
  return { postcodes, names: [...names] };
}

const UNIT_WORDS = new Set("lot unit shop suite level flat apt apartment no number".split(" "));
const JOINING_WORDS = new Set(["in", "at", "near", "of", "and"]);
const STATE_WORDS = new Set(["nsw", "new", "australia"]);
const OTHER_STATE =
  /\b(?:vic|victoria|qld|queensland|sa|south australia|wa|western australia|tas|tasmania|nt|northern territory|act)(?: \d{4})?(?: australia)?$/;

/** A suburb's name in an address: the tokens from `start` to `end` (exclusive). */
type Mention = { place: SuburbPlace; start: number; end: number };

const isName = ({ word }: Token) => /^[a-z]/.test(word) && !STATE_WORDS.has(word);

/** Returns the last mention of a place in an address; null if there is none, or if it is only a street name. */
function lastMention(list: readonly Token[], place: SuburbPlace): Mention | null {
  const parts = words(place.name);
  for (let start = list.length - parts.length; start >= 0; start--) {
    const end = start + parts.length;
    if (!parts.every((part, i) => list[start + i]!.word === part)) continue;
    if (!STREET_KINDS.has(list[end]?.word ?? "")) return { place, start, end };
  }
  return null;
}

const isEnd = (word: string) => word === "," || /\d/.test(word) || STATE_WORDS.has(word);

/** Returns whether a name stands alone: "Paradise" does in "2 Elm St Paradise", not in "Surfers Paradise". */
function standsAlone(list: readonly Token[], { start, end }: Mention): boolean {
  const before = list[start - 1]?.word ?? ",";
  const after = list[end]?.word ?? ",";
  const isStart = STREET_KINDS.has(before) || UNIT_WORDS.has(before) || JOINING_WORDS.has(before);
  return (isStart || isEnd(before)) && isEnd(after);
}

/** Returns whether four digits are a house number: a street type follows, or a word such as "unit" precedes. */
function isHouseNumber(list: readonly Token[], at: number): boolean {
  const rest = list.slice(at + 1);
  const comma = rest.findIndex((token) => !isWord(token));
  const behind = comma < 0 ? rest : rest.slice(0, comma);
  return UNIT_WORDS.has(list[at - 1]?.word ?? "") || behind.some(({ word }) => STREET_KINDS.has(word));
}

/** The result for an address: its suburb, or the candidates, likeliest first. */
export type FoundPlace =
  | { place: SuburbPlace; meant: [] }
  | { place: null; meant: (SuburbPlace & { typed: string })[] };

/**
 * Returns the suburb of an address when only one is possible. Three forms are clear: a name with its postcode, a name
 * that no other suburb shares, and a postcode that no other suburb shares. The visitor has to choose in all other
 * cases, such as an unknown postcode, a postcode that contradicts the name, or another state.
 * @param candidates every suburb with its name or postcode in the address
 */
export function findPlace(address: string, candidates: readonly SuburbPlace[]): FoundPlace {
  const list = tokens(address);
  const all = candidates.map((place) => lastMention(list, place)).filter((mention) => mention !== null);
  // Prefer "North Sydney" to "Sydney".
  const mentions = all
    .filter(
      ({ start, end }) =>
        !all.some(
          (other) => other.start <= start && other.end >= end && other.end - other.start > end - start,
        ),
    )
    .toSorted((a, b) => a.start - b.start || b.place.population - a.place.population);
  const codes = list.flatMap(({ word }, at) =>
    /^\d{4}$/.test(word) && !isHouseNumber(list, at) ? [at] : [],
  );
  const postcodes = new Set(codes.map((at) => list[at]!.word));
  const isElsewhere = OTHER_STATE.test(words(address).join(" "));
  const agreed = mentions.findLast(({ place }) => postcodes.has(place.postcode));
  if (agreed && !isElsewhere) return { place: agreed.place, meant: [] };

  // Four digits before other words are more likely a house number.
  const written = codes.findLast((at) => at > 0 || !list.slice(1).some(isName));
  const coded = candidates
    .filter(({ postcode }) => written !== undefined && postcode === list[written]!.word)
    .toSorted((a, b) => b.population - a.population);
  const isSureName =
    written === undefined && mentions.length === 1 && mentions.every((one) => standsAlone(list, one));
  // Towns in a neighbouring state share some of its postcodes.
  const isSureCode = mentions.length === 0 && coded.length === 1 && coded[0]!.postcode.startsWith("2");
  const [only] = isSureName ? mentions.map(({ place }) => place) : isSureCode ? coded : [];
  if (only && !isElsewhere) return { place: only, meant: [] };

  const lower = address.toLowerCase().replaceAll("’", "'").trimEnd();
  const from = (token: number) => lower.slice(list[token]!.at);
  const firstOf = (at: number) => (list[at - 1]?.word === "nsw" ? at - 1 : at);
  const suffixStart = Math.min(...mentions.map(({ start }) => start), firstOf(written ?? 0));
  const named = mentions.map(({ place, start }) => ({ ...place, typed: from(start) }));
  const others = coded.filter(({ id }) => named.every((place) => place.id !== id));
  return {
    place: null,
    meant: [...named, ...others.map((place) => ({ ...place, typed: from(suffixStart) }))],
  };
}

const MAX_AREAS = 40;

/**
 * Returns the possible places in a provider's service-area text, such as "Sydney, 2040 and Manly".
 * @returns postcodes and names in lower case, each once
 */
export function areaHints(areas: string): { postcodes: string[]; names: string[] } {
  const parts = areas
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[,;\n/]+|\band\b|&/)
    .map((part) => part.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean)
    .slice(0, MAX_AREAS);
  const postcodes = parts.flatMap((part) => part.match(/\b\d{4}\b/g) ?? []).slice(0, MAX_AREAS);
  const names = parts.map((part) => part.replaceAll(/\b(?:\d{4}|nsw)\b/g, "").trim()).filter(Boolean);
  return { postcodes: [...new Set(postcodes)], names: [...new Set(names)] };
}
