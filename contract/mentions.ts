/** Who is mentioned in notes: "@Sam", or "@Sam Lee" where there are two Sams. Without I/O, for Worker and browser. */

/** Somebody whose name may stand behind an "@". */
export type Mate = { id: string; firstName: string; lastName: string };

/** More than this nobody means: a text of nothing but "@" costs no more. */
const MOST_MENTIONS = 500;

/** Letters that stand for themselves in Unicode, as a keyboard without them has them. */
const PLAIN: Record<string, string> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  ß: "ss",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** Small letters without accents, one space at a time: "@zoe" means Zoë, "@soren" Søren. Lines stay apart. */
export function foldName(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[æœøßłđðþı]/g, (letter) => PLAIN[letter]!)
    .replaceAll("’", "'")
    .replaceAll(/[^\S\n]+/g, " ");
}

const fullName = ({ firstName, lastName }: Mate) => `${firstName.trim()} ${lastName.trim()}`;

/** Whom each name means; null where it means more than one. */
function namesOf(team: readonly Mate[]): Map<string, string | null> {
  const names = new Map<string, string | null>();
  for (const mate of team)
    for (const name of new Set([foldName(mate.firstName.trim()), foldName(fullName(mate))])) {
      const other = names.get(name);
      names.set(name, other === undefined || other === mate.id ? mate.id : null);
    }
  return names;
}

/** What goes on with letters is another name: "@Sam" stands neither in "@Samantha" nor in "@Sam-Ray". */
const GOES_ON = /^(?:[\p{L}\p{N}_]|-\p{L})/u;

/**
 * Counts how often each person is mentioned in a text. The longest name that fits counts; one that means two people
 * counts for neither.
 * @param team all of a business, whoever writes
 * @returns by the person's id
 */
export function countMentions(text: string, team: readonly Mate[]): Map<string, number> {
  const counts = new Map<string, number>();
  const names = [...namesOf(team)].toSorted(([a], [b]) => b.length - a.length);
  const longest = names[0]?.[0].length ?? 0;
  const folded = foldName(text);
  let seen = 0;
  for (const { index } of folded.matchAll(/(?<![\p{L}\p{N}_])@/gu)) {
    if (++seen > MOST_MENTIONS) break;
    const rest = folded.slice(index + 1, index + 3 + longest);
    const [, id] =
      names.find(([name]) => rest.startsWith(name) && !GOES_ON.test(rest.slice(name.length))) ?? [];
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Whom a text mentions more often than the one before it. @returns their ids */
export function newlyMentioned(before: string, after: string, team: readonly Mate[]): string[] {
  const had = countMentions(before, team);
  return [...countMentions(after, team)]
    .filter(([id, count]) => count > (had.get(id) ?? 0))
    .map(([id]) => id);
}

/** How somebody is written behind the "@": by their first name where that will do; null where no name will. */
export function mentionOf(mate: Mate, team: readonly Mate[]): string | null {
  const names = namesOf(team);
  const written = [mate.firstName.trim(), fullName(mate)];
  return written.find((name) => names.get(foldName(name)) === mate.id) ?? null;
}
