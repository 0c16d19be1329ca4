/** Finds suburb names despite typos and missing spaces. */
import { placeKey, startKey } from "../../../contract/place-names.ts";

/** Returns a key's letters, so that "dee why" equals "deewhy". */
const lettersOf = (key: string) => key.replaceAll(/[^a-z]/g, "");

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
  const letters = lettersOf(startKey(typed));
  const maxDistance = maxTypos(letters.length);
  return candidates
    .map((candidate) => ({ candidate, slips: countTypos(letters, lettersOf(placeKey(candidate.name))) }))
    .filter((found) => found.slips <= maxDistance)
    .toSorted((a, b) => a.slips - b.slips)
    .map(({ candidate }) => candidate);
}
