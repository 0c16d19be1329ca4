/** Matches suburb names despite abbreviations, missing spaces and typos. */

const SHORT: Readonly<Record<string, string>> = {
  mt: "mount",
  n: "north",
  nth: "north",
  s: "south",
  sth: "south",
  e: "east",
  w: "west",
  saint: "st",
  hts: "heights",
  gdns: "gardens",
  bch: "beach",
  ck: "creek",
  crk: "creek",
  hbr: "harbour",
  vly: "valley",
  upr: "upper",
  lwr: "lower",
};

/** Spells out abbreviations: "mt druitt" becomes "mount druitt", "pt macquarie" becomes "port macquarie". */
export function spellOut(words: readonly string[]): string[] {
  return words.map((word, i) => {
    if (word === "pt") return i + 1 < words.length ? "port" : "point";
    return SHORT[word] ?? word;
  });
}

/**
 * Returns one key for all spellings of a place: "Mt Saint Thomas" and "Mount St Thomas", "O’Connell" and "OConnell",
 * "Brighton-le-Sands" and "brighton le sands".
 */
export function placeKey(name: string): string {
  return spellOut(
    name
      .toLowerCase()
      .replaceAll(/['’]/g, "")
      .match(/[a-z0-9]+/g) ?? [],
  ).join(" ");
}

/** Returns a name's letters, so that "Dee Why" equals "deewhy". */
function lettersOf(name: string): string {
  return placeKey(name).replaceAll(/[^a-z]/g, "");
}

/** Returns the edit distance between `typed` and the closest prefix of `name`. */
function countTypos(typed: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, j) => j);
  for (let i = 1; i <= typed.length; i++) {
    const next = [i];
    for (let j = 1; j <= name.length; j++) {
      const change = row[j - 1]! + (typed[i - 1] === name[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return Math.min(...row);
}

/** Returns the allowed edit distance: one from four letters, two from seven. Short words resemble many others. */
function maxTypos(letters: number): number {
  return letters < 4 ? 0 : letters < 7 ? 1 : 2;
}

/**
 * Returns the names that the visitor may have meant, best match first.
 * @param typed a possible suburb name or its beginning
 * @param candidates equally good matches keep this order
 */
export function soundsLike<Candidate extends { name: string }>(
  typed: string,
  candidates: readonly Candidate[],
): Candidate[] {
  const letters = lettersOf(typed);
  const maxDistance = maxTypos(letters.length);
  return candidates
    .map((candidate) => ({ candidate, slips: countTypos(letters, lettersOf(candidate.name)) }))
    .filter((found) => found.slips <= maxDistance)
    .toSorted((a, b) => a.slips - b.slips)
    .map(({ candidate }) => candidate);
}
