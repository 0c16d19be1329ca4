/** How alike two pages are: by the sentences' pieces that they share, once their own names are masked. */

/** The median pair of pages may be so much alike. */
export const MOST_ALIKE = 0.6;

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

/**
 * The pieces of a suburb's page, its own name, postcode and council masked.
 * @param html as it was answered
 * @param council the suburb's, in full
 */
export function suburbPieces(html: string, council: string): Set<string> {
  const text = html.replaceAll("<!-- -->", "");
  const [, name] = /Perfect Lawn Care in ([^<]+)</.exec(text)!;
  const [, postcode] = new RegExp(`${name} (?:NSW )?(\\d{4})`).exec(text)!;
  return piecesOf(text, [name!, postcode!, council]);
}

/** Two pages and what they share. */
export type Pair = { page: number; other: number; share: number };

/** Takes pages and compares each with each; thousands of them, so pieces are kept as numbers. */
export function likenessIndex() {
  const ids = new Map<string, number>();
  const pages: Uint32Array[] = [];

  function add(pieces: ReadonlySet<string>) {
    const numbers = [...pieces].map((piece) => ids.get(piece) ?? ids.set(piece, ids.size).size - 1);
    pages.push(Uint32Array.from(numbers));
  }

  /** @returns the likeness of every pair, and for each page the one before it that is most like it */
  function compare(): { pairs: Float32Array; closest: Pair[] } {
    const pairs = new Float32Array((pages.length * (pages.length - 1)) / 2);
    const closest: Pair[] = [];
    // Who has a piece, among the pages before the one that is compared.
    const havers: number[][] = Array.from({ length: ids.size }, () => []);
    let at = 0;
    for (const [page, own] of pages.entries()) {
      const shared = new Uint32Array(page);
      for (const piece of own) {
        for (const other of havers[piece]!) shared[other]! += 1;
        havers[piece]!.push(page);
      }
      let most: Pair | null = null;
      for (const [other, count] of shared.entries()) {
        const share = count / (own.length + pages[other]!.length - count);
        pairs[at++] = share;
        if (share > (most?.share ?? -1)) most = { page, other, share };
      }
      if (most) closest.push(most);
    }
    return { pairs, closest };
  }

  return { add, compare };
}

/** The value in the middle, and others by their share: `at([1, 2, 3], 0.5)` is 2. */
export function at(values: readonly number[] | Float32Array, share: number): number {
  // An array of numbers' own order is by value.
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
