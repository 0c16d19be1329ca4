/** Mentions in notes: "@Sam", or "@Sam Lee" when there are two Sams. The Worker and the browser share this code. */

/** A team member who can be mentioned. */
export type Mate = { id: string; firstName: string; lastName: string };

/** Maximum mentions counted per text. It limits the cost of a text full of "@". */
const MAX_MENTIONS = 500;

/** Plain spellings of letters that Unicode does not decompose. */
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

/** Converts a text to lower case, without accents or repeated spaces: "@zoe" matches Zoë. Keeps line breaks. */
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

/** Maps each name to the team member's id; null when it is ambiguous. */
function namesOf(team: readonly Mate[]): Map<string, string | null> {
  const names = new Map<string, string | null>();
  for (const mate of team)
    for (const name of new Set([foldName(mate.firstName.trim()), foldName(fullName(mate))])) {
      const other = names.get(name);
      names.set(name, other === undefined || other === mate.id ? mate.id : null);
    }
  return names;
}

/** A name followed by more letters is a different name: "@Sam" does not match "@Samantha" or "@Sam-Ray". */
const NAME_CONTINUES = /^(?:[\p{L}\p{N}_]|-\p{L})/u;

/**
 * Counts the mentions of each team member in a text. The longest matching name counts. An ambiguous name is ignored.
 * @param team all users of a business, including the writer
 * @returns counts by user id
 */
export function countMentions(text: string, team: readonly Mate[]): Map<string, number> {
  const counts = new Map<string, number>();
  const names = [...namesOf(team)].toSorted(([a], [b]) => b.length - a.length);
  const longest = names[0]?.[0].length ?? 0;
  const folded = foldName(text);
  let seen = 0;
  for (const { index } of folded.matchAll(/(?<![\p{L}\p{N}_])@/gu)) {
    if (++seen > MAX_MENTIONS) break;
    const rest = folded.slice(index + 1, index + 3 + longest);
    const [, id] =
      names.find(([name]) => rest.startsWith(name) && !NAME_CONTINUES.test(rest.slice(name.length))) ?? [];
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Returns the ids of team members whom the new text mentions more often than the old one. */
export function findNewMentions(before: string, after: string, team: readonly Mate[]): string[] {
  const had = countMentions(before, team);
  return [...countMentions(after, team)]
    .filter(([id, count]) => count > (had.get(id) ?? 0))
    .map(([id]) => id);
}

/**
 * Returns the name to write after "@": the first name if it is unique, else the full name; null when both are
 * ambiguous.
 */
export function getMentionName(mate: Mate, team: readonly Mate[]): string | null {
  const names = namesOf(team);
  const written = [mate.firstName.trim(), fullName(mate)];
  return written.find((name) => names.get(foldName(name)) === mate.id) ?? null;
}
