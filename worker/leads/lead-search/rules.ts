import { MAX_SEARCH_WORDS } from "../../../contract/admin-leads.ts";
import { streetKey } from "../quarantine/contact-keys.ts";

/** A parsed search. A lead must contain every word. At least one field must begin with one of the first words. */
export type Words = { all: string[]; beginnings: { word: string; street: string }[] };

/** Maximum words looked up as the start of a field. */
const LOOKED_UP = 2;

/** Normalises the start of a street like the index, without the house number. */
function streetBeginning(word: string): string {
  return (streetKey(word) ?? "").replace(/^[\d/\- ]+/, "");
}

/** Parses an admin's search into words from a name, a suburb or a street; null if no word is usable. */
export function readWords(q: string): Words | null {
  const all = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
  const beginnings = all
    .filter((word) => /\p{L}{2}/u.test(word))
    .slice(0, LOOKED_UP)
    .map((word) => ({ word, street: streetBeginning(word) }));
  return beginnings.length > 0 ? { all, beginnings } : null;
}
