import { OTHER_STATES, withoutState } from "../../../contract/address.ts";
import { placeKey, spellOut } from "../../../contract/place-names.ts";

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

const MAX_NAME_WORDS = 3; // longest of our names
const MAX_WORDS = 20;

/** A comma or a word of an address, spelled out, with its position in the text. */
type Token = { word: string; at: number; end: number };

/** Words, and signs that separate parts: a comma, a dash or slash between spaces, and a full stop behind a long word. */
const TOKENS =
  /new\s+south\s+wales|nsw(?=\d{4})|[a-z0-9']+|[,;:\n]|(?<=\s)[-–—/](?=\s)|(?<=[a-z]{4}|\d{4})\.(?=\s)/g;

/** Splits an address into lower-case tokens without hyphens and apostrophes. */
function tokens(address: string): Token[] {
  const lower = address.toLowerCase().replaceAll("’", "'");
  const found = [...lower.matchAll(TOKENS)];
  const words = found.map(([word]) => word.replace(/^new\s.*/, "nsw").replace(/^[^a-z0-9']$/, ","));
  const spelt = spellOut(words.map((word) => word.replaceAll("'", "")));
  return found.map(({ index, 0: text }, i) => ({ word: spelt[i]!, at: index, end: index + text.length }));
}

const isWord = ({ word }: Token) => word !== ",";

/** Street types and their abbreviations. */
export const STREET_KINDS = new Set(
  "st street rd road ave av avenue cres crescent ct court dr drive pl place ln lane pde parade hwy highway cl close bvd blvd boulevard boulevarde tce terrace way cct circuit gr grove esp esplanade walk mews row rise loop link trail track parkway pkwy mall crest promenade quay square sq alley chase".split(
    " ",
  ),
);

/** Returns all candidates in an address: every postcode-like number, and every run of words that could be a suburb. */
export function placeHints(address: string): { postcodes: string[]; names: string[] } {
  const list = tokens(address)
    .filter(isWord)
    .map(({ word }) => word);
  // A long text is an address and a note, in this order.
  const heads = list.slice(0, MAX_WORDS);
  const postcodes = heads.filter((word) => /^\d{4}$/.test(word));
  const names = new Set<string>();
  for (let start = 0; start < heads.length; start++)
    for (let length = 1; length <= MAX_NAME_WORDS && start + length <= heads.length; length++)
      names.add(heads.slice(start, start + length).join(" "));
  return { postcodes: [...new Set(postcodes)], names: [...names].filter((name) => /[a-z]/.test(name)) };
}

const DIRECTIONS = new Set(["north", "south", "east", "west"]);

/** Maximum other names of an address. D1 binds at most 100 values. */
const MAX_OTHER_NAMES = 20;

/**
 * Returns names that the visitor may have meant, with the words that stand for them: "Bondi North" for North Bondi,
 * "Pt Clare" for Point Clare. We only offer these suburbs, because the visitor may mean another place.
 */
export function otherNames(address: string): { name: string; typed: string }[] {
  const list = tokens(address).slice(0, MAX_WORDS);
  return list
    .flatMap((_, start) =>
      [2, 3].flatMap((length) => {
        const run = list.slice(start, start + length);
        const words = run.map(({ word }) => word);
        if (run.length < length || !run.every(isWord)) return [];
        const [first, last] = [words[0]!, words.at(-1)!];
        const names = [
          DIRECTIONS.has(last) && [last, ...words.slice(0, -1)],
          DIRECTIONS.has(first) && [...words.slice(1), first],
          first === "port" && ["point", ...words.slice(1)],
        ].filter((name) => name !== false);
        const typed = address.slice(run[0]!.at, run.at(-1)!.end);
        return names.map((name) => ({ name: name.join(" "), typed }));
      }),
    )
    .slice(0, MAX_OTHER_NAMES);
}

const UNIT_WORDS = new Set("lot unit shop suite level flat apt apartment no number".split(" "));
const JOINING_WORDS = new Set(["in", "at", "of", "and"]);
/** Words beside a name that do not belong to it. */
const NOTE_WORDS = new Set(
  "the cbd city near access entry enter via from off behind opposite next park parking".split(" "),
);
const STATE_WORDS = new Set(["nsw", "australia", "aus", "au"]);
const OTHER_STATE = new RegExp(String.raw`\b(?:${OTHER_STATES})(?: \d{4})?(?: australia)?$`);

/**
 * A suburb's name in an address: the tokens from `start` to `end` (exclusive). `firm`: nothing but the state and the
 * postcode follows in its part of the address, and only a comma or a street precedes it.
 */
type Mention = { place: SuburbPlace; start: number; end: number; firm: boolean };

const isDigits = (word: string) => /^\d/.test(word);
const isPostcode = (word: string) => /^\d{4}$/.test(word);
const isTail = (word: string) => STATE_WORDS.has(word) || isPostcode(word);

/** Returns the position of the comma that ends the part of an address, or its length. */
function endOfPart(list: readonly Token[], from: number): number {
  const comma = list.findIndex((token, i) => i >= from && !isWord(token));
  return comma < 0 ? list.length : comma;
}

/** Returns whether a house number precedes: such a word is a street without its type, as in "12 Broadway, Glebe". */
function isAddressed(list: readonly Token[], start: number): boolean {
  return isDigits(list[start - (list[start - 1]?.word === "the" ? 2 : 1)]?.word ?? "");
}

/** Returns all mentions of these places. Prefers "North Sydney" to "Sydney". Leaves out names of streets. */
function findMentions(list: readonly Token[], places: readonly SuburbPlace[]): Mention[] {
  const all = places.flatMap((place) => {
    const parts = placeKey(place.name).split(" ");
    return list.flatMap((_, start) =>
      parts.every((part, i) => list[start + i]?.word === part)
        ? [{ place, start, end: start + parts.length, firm: false }]
        : [],
    );
  });
  const longest = all.filter(
    ({ start, end }) =>
      !all.some((other) => other.start <= start && other.end >= end && other.end - other.start > end - start),
  );
  const isCovered = (at: number, by: Mention) => at >= by.start && at < by.end;
  return longest.flatMap((mention) => {
    const rest = list.slice(mention.end, endOfPart(list, mention.end));
    // A street's type stands before the state and the postcode.
    const tail = rest.findIndex(({ word }) => isTail(word));
    const isStreet = rest
      .slice(0, tail < 0 ? undefined : tail)
      .some(
        ({ word }, i) =>
          STREET_KINDS.has(word) && !longest.some((other) => isCovered(mention.end + i, other)),
      );
    if (isStreet) return [];
    const hasArticle = list[mention.start - 1]?.word === "the" && !isAddressed(list, mention.start);
    const before = list[mention.start - (hasArticle ? 2 : 1)]?.word ?? ",";
    const opens = before === "," || STREET_KINDS.has(before) || JOINING_WORDS.has(before);
    return [{ ...mention, firm: opens && rest.every(({ word }) => isTail(word)) }];
  });
}

/** Returns whether four digits are a house number: a street type follows, or a word such as "unit" precedes. */
function isHouseNumber(list: readonly Token[], at: number): boolean {
  const behind = list.slice(at + 1, endOfPart(list, at + 1));
  return UNIT_WORDS.has(list[at - 1]?.word ?? "") || behind.some(({ word }) => STREET_KINDS.has(word));
}

/** Returns the end of a mention with its postcode, as in "Glebe NSW 2037"; null without its postcode beside it. */
function endOfComplete(list: readonly Token[], { place, start, end }: Mention): number | null {
  let at = end;
  while (at < list.length && (!isWord(list[at]!) || STATE_WORDS.has(list[at]!.word))) at += 1;
  if (list[at]?.word === place.postcode) return at + 1;
  return list[start - 1]?.word === place.postcode && !isHouseNumber(list, start - 1) ? end : null;
}

/** Returns whether one more word makes a mention another place, as in "Upper Glebe" or "Glebe Heights". */
function isLonger(list: readonly Token[], named: readonly Mention[], { start, end }: Mention): boolean {
  const wordAt = (at: number) => list[at]?.word ?? ",";
  const isName = (at: number) =>
    /^[a-z]/.test(wordAt(at)) &&
    ![STATE_WORDS, JOINING_WORDS, STREET_KINDS, NOTE_WORDS].some((words) => words.has(wordAt(at))) &&
    !OTHER_STATE.test(wordAt(at)) &&
    !named.some((other) => at >= other.start && at < other.end);
  const opens = wordAt(start - 2) === "," || STREET_KINDS.has(wordAt(start - 2));
  const closes = wordAt(end + 1) === "," || isTail(wordAt(end + 1));
  return (isName(start - 1) && opens) || (isName(end) && closes);
}

/** A name that is not in our list with a postcode that is: where the postcode's largest suburb is. */
export type UnlistedPlace = Omit<SuburbPlace, "id"> & { id: null };

/** Returns the words between the street and the postcode, a name that we do not know; null for none. */
function unknownName(list: readonly Token[], postcodeAt: number): { start: number; end: number } | null {
  let end = postcodeAt;
  while (end > 0 && (!isWord(list[end - 1]!) || STATE_WORDS.has(list[end - 1]!.word))) end -= 1;
  let start = end;
  while (start > 0 && /^[a-z]/.test(list[start - 1]!.word) && !STREET_KINDS.has(list[start - 1]!.word))
    start -= 1;
  // A word behind a house number is a street without its type, as in "12 Broadway 2037".
  return start === end || isDigits(list[start - 1]?.word ?? "") ? null : { start, end };
}

/** The result for an address: its suburb, or the candidates, likeliest first. */
export type FoundPlace = {
  place: SuburbPlace | null;
  meant: (SuburbPlace & { typed?: string })[];
  /** Set instead of `place` if the name is not in our list, but its postcode is. An admin may accept it. */
  unlisted: UnlistedPlace | null;
  /** The address without the visitor's note. */
  address: string;
  /** Instructions behind the address or in brackets; null for none. */
  note: string | null;
};

const clean = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll(/^[\s,.;:/–—-]+|[\s,;:/–—-]+$/g, "");

/** Separates text in brackets, such as "(gate code 12)". */
function takeBrackets(address: string): { address: string; notes: string[] } {
  const notes: string[] = [];
  const rest = address.replaceAll(/\s*[([{]([^)\]}]*)[)\]}]?/g, (_, note: string) => {
    notes.push(clean(note));
    return "";
  });
  return { address: rest.trim(), notes: notes.filter(Boolean) };
}

/**
 * Returns the suburb of an address when only one is possible. Three forms are clear: a name with its postcode, a name
 * that no other suburb shares, and a postcode that no other suburb shares. The visitor has to choose in all other
 * cases, such as an unknown postcode, a postcode that contradicts the name, or another state. What stands behind the
 * last comma counts first.
 * @param candidates every suburb with its name or postcode in the address
 * @param namesakes well-known places of other states by key, with the state
 */
export function findPlace(
  typed: string,
  candidates: readonly SuburbPlace[],
  namesakes: Readonly<Record<string, string>> = {},
): FoundPlace {
  const { address, notes } = takeBrackets(typed);
  if (notes.length > 0) {
    const found = findPlace(address, candidates, namesakes);
    // The suburb itself may stand in brackets.
    if (found.place || found.meant.length > 0 || found.unlisted)
      return { ...found, note: [found.note, ...notes].filter(Boolean).join("; ") };
  }
  const whole = { unlisted: null, address: typed, note: null };
  const list = tokens(typed);
  const named = findMentions(list, candidates);
  const covered = (i: number) => named.some(({ start, end }) => i >= start && i < end);
  const loose = list.filter((token, i) => isWord(token) && !covered(i)).map(({ word }) => word);
  const isElsewhere = OTHER_STATE.test(loose.join(" "));
  const complete = named.flatMap((mention) => {
    const end = isLonger(list, named, mention) ? null : endOfComplete(list, mention);
    return end === null ? [] : [{ mention, end }];
  });
  const isBehindNote = NOTE_WORDS.has(list[0]?.word ?? "");
  const first = complete.toSorted((a, b) => a.end - b.end).at(isBehindNote ? -1 : 0);
  if (first) {
    const isOnly = complete.every(({ mention }) => mention.place.id === first.mention.place.id);
    // Behind a complete address come instructions, which may name another place.
    const { place, start } = first.mention;
    const hasHouse = list.slice(0, start).some(({ word }) => isDigits(word) && word !== place.postcode);
    const isStateOnly = isElsewhere && list.length - first.end <= 3;
    if ((isOnly || hasHouse) && !isStateOnly) return splitNote(typed, list, first, named, hasHouse);
  }

  const codes = list.flatMap(({ word }, at) => (isPostcode(word) && !isHouseNumber(list, at) ? [at] : []));
  const postcodes = new Set(codes.map((at) => list[at]!.word));
  const others = named.filter(
    ({ start, place }) => !isAddressed(list, start) || postcodes.has(place.postcode),
  );
  const mentions = others.length > 0 || postcodes.size > 0 ? others : named;
  const agreed = mentions.findLast(({ place }) => postcodes.has(place.postcode));
  if (agreed && !isLonger(list, named, agreed) && !isElsewhere && complete.length === 0)
    return { ...whole, place: agreed.place, meant: [] };

  // Four digits before other words are more likely a house number.
  const written = codes.findLast((at) => at > 0 || !list.slice(1).some(({ word }) => /^[a-z]/.test(word)));
  const unknown = written === undefined ? null : unknownName(list, written);
  const start = unknown && list[unknown.start]!.word;
  const isSimilar = ({ name }: SuburbPlace) => start !== null && placeKey(name).startsWith(start);
  const coded = candidates
    .filter(({ postcode }) => written !== undefined && postcode === list[written]!.word)
    .toSorted((a, b) => Number(isSimilar(b)) - Number(isSimilar(a)) || b.population - a.population);
  const partOf = ({ start }: Mention) => endOfPart(list, start);
  const ordered = mentions.toSorted(
    (a, b) =>
      Number(b.firm) - Number(a.firm) ||
      partOf(b) - partOf(a) ||
      a.start - b.start ||
      b.place.population - a.place.population,
  );
  const isSureName =
    written === undefined &&
    ordered[0]?.firm === true &&
    ordered
      .slice(1)
      .every(
        (other) =>
          other.place.id === ordered[0]!.place.id || (!other.firm && partOf(other) < partOf(ordered[0]!)),
      );
  // Towns in a neighbouring state share some of its postcodes.
  const isSureCode =
    mentions.length === 0 && !unknown && coded.length === 1 && coded[0]!.postcode.startsWith("2");
  const only = isSureName ? ordered[0]!.place : isSureCode ? coded[0]! : null;
  const isNamesake =
    isSureName && isTiny(only!) && placeKey(only!.name) in namesakes && !loose.includes("nsw");
  if (only && !isElsewhere && !isNamesake) return { ...whole, place: only, meant: [] };

  const meant = ordered.map((mention) => {
    const { place, start, end } = mention;
    const isKept = isLonger(list, named, mention) && (written === undefined || postcodes.has(place.postcode));
    return isKept ? place : { ...place, typed: typed.slice(list[start]!.at, list[end - 1]!.end) };
  });
  return {
    ...whole,
    place: null,
    meant: [...meant, ...coded.filter(({ id }) => meant.every((place) => place.id !== id))],
    unlisted:
      unknown && coded[0] && !isElsewhere && ordered.every(({ firm }) => !firm)
        ? { ...coded[0], id: null, name: typed.slice(list[unknown.start]!.at, list[unknown.end - 1]!.end) }
        : null,
  };
}

/** Population under which a place is less known than its namesake in another state. */
const TINY = 500;
export const isTiny = ({ population }: Pick<SuburbPlace, "population">) => population < TINY;

/** Separates what stands behind a complete address. One more place, such as the city, stays in the address. */
function splitNote(
  typed: string,
  list: readonly Token[],
  { mention, end }: { mention: Mention; end: number },
  named: readonly Mention[],
  hasHouse: boolean,
): FoundPlace {
  const rest = list.slice(end).filter((token) => isWord(token) && !isTail(token.word));
  const isPlace = named.some((other) => other.start >= end && other.end - other.start === rest.length);
  const found = { place: mention.place, meant: [], unlisted: null };
  // Behind a name that comes first, a number is the street's: "Glebe NSW 2037, 12 Banksia St".
  const isStreet = !hasHouse && rest.some(({ word }) => isDigits(word));
  if (rest.length === 0 || isPlace || isStreet) return { ...found, address: typed, note: null };
  const at = list[end - 1]!.end;
  return { ...found, address: clean(typed.slice(0, at)), note: clean(typed.slice(at)) };
}

const MAX_AREAS = 40;

/**
 * Returns the possible places in a provider's service-area text, such as "Sydney, 2040 and Manly".
 * @returns postcodes and keys of names, each once
 */
export function areaHints(areas: string): { postcodes: string[]; names: string[] } {
  const parts = areas
    .toLowerCase()
    .split(/[,;\n/]+|\band\b|&/)
    .filter((part) => part.trim())
    .slice(0, MAX_AREAS);
  const postcodes = parts.flatMap((part) => part.match(/\b\d{4}\b/g) ?? []).slice(0, MAX_AREAS);
  const names = parts.map((part) => placeKey(part.replaceAll(/\b(?:\d{4}|nsw)\b/g, ""))).filter(Boolean);
  return { postcodes: [...new Set(postcodes)], names: [...new Set(names)] };
}

/** An address as the visitor typed it, perhaps with the suburb and the postcode in fields of their own. */
export type TypedPlace = {
  address: string;
  suburb?: string | null | undefined;
  postcode?: string | null | undefined;
};

/**
 * Joins an address with the suburb and the postcode from fields of their own, which autofill fills in, unless it
 * contains them.
 */
export function joinAddress({ address, suburb, postcode }: TypedPlace): string {
  const text = address.trim();
  const [name, code] = [suburb?.trim() ?? "", postcode?.trim() ?? ""];
  if (!name && !code) return text;
  const ownCode = /[\s,]+(\d{4})$/.exec(text)?.[1];
  const isSameCode = ownCode !== undefined && (!code || ownCode === code);
  const core = withoutState(text.slice(0, isSameCode ? -4 : undefined));
  const hasName = core.toLowerCase().endsWith(name.toLowerCase());
  const end = [code.startsWith("2") && "NSW", code || (isSameCode && ownCode)].filter(Boolean).join(" ");
  return `${[core, !hasName && name].filter(Boolean).join(", ")} ${end}`.trim();
}
