import { MOST_SEARCH_WORDS } from "../../../contract/admin-leads.ts";
import { streetKey } from "../quarantine/contact-keys.ts";

/** What is looked for: each of these words has to stand in the lead, and one of the first begins something of it. */
export type Words = { all: string[]; beginnings: { word: string; street: string }[] };

/** How many of the words are looked up by how something begins. */
const LOOKED_UP = 2;

/** How a street begins without its number, as its index has it. */
function streetBeginning(word: string): string {
  return (streetKey(word) ?? "").replace(/^[\d/\- ]+/, "");
}

/** What somebody typed, as words of a name, a suburb or a street; null when there is none to look up. */
export function readWords(q: string): Words | null {
  const all = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_SEARCH_WORDS);
  const beginnings = all
    .filter((word) => /\p{L}{2}/u.test(word))
    .slice(0, LOOKED_UP)
    .map((word) => ({ word, street: streetBeginning(word) }));
  return beginnings.length > 0 ? { all, beginnings } : null;
}

/** The first text behind all that begin with this one. */
export function endOf(beginning: string): string {
  return `${beginning}\u{10ffff}`;
}
