/** How alike two pages are: by the sentences' pieces that they share, once their own names are masked. */

/** So many words in a row are one piece. */
const PIECE_WORDS = 3;

/** What a reader reads of a page: the words of its main part, forms, questions and tables included. */
export function mainWords(html: string): string[] {
  const main = /<main\b.*<\/main>/s.exec(html)?.[0] ?? "";
  return main
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, " ")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean);
}

/**
 * A page's pieces, with its own names masked.
 * @param names such as the suburb's, its postcode and its council; longer ones first is not needed
 */
export function piecesOf(html: string, names: readonly string[]): Set<string> {
  let text = ` ${mainWords(html).join(" ")} `;
  for (const name of names.toSorted((a, b) => b.length - a.length))
    text = text.replaceAll(name.toLowerCase(), "*");
  const words = text.split(/\s+/).filter(Boolean);
  return new Set(words.map((_, i) => words.slice(i, i + PIECE_WORDS).join(" ")));
}

/** The share of two pages' pieces that stand on both: 0 nothing, 1 the same page (Jaccard's index). */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((piece) => b.has(piece)).length;
  return shared / (a.size + b.size - shared);
}

/** The value in the middle, and others by their share: `at([1, 2, 3], 0.5)` is 2. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
