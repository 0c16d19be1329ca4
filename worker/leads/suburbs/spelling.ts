/** How people spell suburbs: abbreviated, joined, with a letter too many or too few. */

const SHORT: Readonly<Record<string, string>> = {
  mt: "mount",
  nth: "north",
  sth: "south",
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

/** Words in lower case as our list spells them: "mt druitt" is "mount druitt", "pt macquarie" "port macquarie". */
export function spellOut(words: readonly string[]): string[] {
  return words.map((word, i) => {
    if (word === "pt") return i + 1 < words.length ? "port" : "point";
    return SHORT[word] ?? word;
  });
}

/** A name's letters alone: "Dee Why" and "deewhy" are the same. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/** How many letters are to be changed, added or left out until `typed` is the beginning of `name`. */
function slips(typed: string, name: string): number {
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

/** Short words are like many others: of four letters one may be wrong, from seven on two. */
function slipsAllowed(letters: number): number {
  return letters < 4 ? 0 : letters < 7 ? 1 : 2;
}

/**
 * The names somebody may have meant, the nearest first.
 * @param typed what may be a suburb's name or its beginning
 * @param candidates in the order they come in when they are equally near
 */
export function soundsLike<Candidate extends { name: string }>(
  typed: string,
  candidates: readonly Candidate[],
): Candidate[] {
  const letters = lettersOf(typed);
  const most = slipsAllowed(letters.length);
  return candidates
    .map((candidate) => ({ candidate, slips: slips(letters, lettersOf(candidate.name)) }))
    .filter((found) => found.slips <= most)
    .toSorted((a, b) => a.slips - b.slips)
    .map(({ candidate }) => candidate);
}
