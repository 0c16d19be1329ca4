/** Measures the likeness of two pages by shared word sequences, after masking each page's own names. */

import { textBlocks } from "../testing/page-text.ts";
import { CLAIMS, REVIEWS } from "../web/site/claims.ts";

/** Maximum likeness of the median pair of pages. */
export const MAX_LIKENESS = 0.55;

/** Maximum share of suburb pages on which one sentence with a figure may be the same. */
export const MAX_SENTENCE_SHARE = 0.3;

/** Words in one shingle. */
const SHINGLE_WORDS = 3;

/** Returns the words in a page's main element, including forms, questions and tables. */
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
 * Returns a page's shingles, with its own names masked.
 *
 * @param names such as the suburb, its postcode and its council, in any order
 */
export function extractShingles(html: string, names: readonly string[]): Set<string> {
  let text = ` ${mainWords(html).join(" ")} `;
  for (const name of names.toSorted((a, b) => b.length - a.length))
    text = text.replaceAll(name.toLowerCase(), "*");
  const words = text.split(/\s+/).filter(Boolean);
  return new Set(words.map((_, i) => words.slice(i, i + SHINGLE_WORDS).join(" ")));
}

/** Returns the share of shingles that two pages have in common (Jaccard index): 0 none, 1 identical. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((shingle) => b.has(shingle)).length;
  return shared / (a.size + b.size - shared);
}

/**
 * Returns the shingles of a suburb's page, with its name, postcode and council masked.
 *
 * @param html the response body
 * @param council the council's full name
 */
export function extractSuburbShingles(html: string, council: string): Set<string> {
  const text = html.replaceAll("<!-- -->", "");
  const [, name] = /Perfect Lawn Care in ([^<]+)</.exec(text)!;
  const [, postcode] = new RegExp(`${name} (?:NSW )?(\\d{4})`).exec(text)!;
  return extractShingles(text, [name!, postcode!, council]);
}

/** Figures that the specification or the operator gives, which every page has to show. */
const SPECIFIED = [
  ...Object.values(CLAIMS).map(({ text }) => text),
  ...REVIEWS.flatMap(({ text, timeframe }) => [text, timeframe]),
  "Mon-Fri 8:00 AM-5:00 PM",
  "A mowing visit typically takes 30-60 minutes",
  "We connect you with a provider within 24 hours",
  "5 out of 5 stars",
  "1800 975 711",
];
const toSentences = (text: string) => text.split(/(?<=[.?!])\s+(?=[A-Z])/);
const SPECIFIED_SENTENCES = new Set(SPECIFIED.flatMap(toSentences));
/** A price of the catalogue with a label, such as "Hedge Trimming $80 to $400" or "under 300m² $49". */
const CATALOGUE_PRICE = /^(?:[a-z]+ ){0,3}(?:from )?\$[\d,]+(?: to \$[\d,]+)?$|^[a-z ]*[\d-]+m² \$\d+$/i;
/** The number of a step. */
const STEP = /^\d$/;

/** Returns a page's sentences with a figure, with its own names masked, without those that the specification gives. */
export function figureSentences(html: string, council: string): Set<string> {
  const main = /<main\b.*<\/main>/s.exec(html.replaceAll("<!-- -->", ""))?.[0] ?? "";
  const [, name] = /Perfect Lawn Care in ([^<]+)</.exec(main)!;
  const sentences = textBlocks(main).flatMap(toSentences);
  return new Set(
    sentences
      .filter((text) => /\d/.test(text) && !STEP.test(text) && !CATALOGUE_PRICE.test(text))
      .filter((text) => !SPECIFIED_SENTENCES.has(text) && !SPECIFIED.some((given) => text.includes(given)))
      .map((text) => text.replaceAll(name!, "*").replaceAll(council, "*")),
  );
}

/** Counts pages by sentence. */
export function sentenceCounts() {
  const counts = new Map<string, number>();
  let pages = 0;
  return {
    add(sentences: ReadonlySet<string>) {
      pages += 1;
      for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
    },
    /** Returns the sentences by the share of pages that have them, the most common first. */
    shares: () =>
      [...counts]
        .map(([sentence, count]) => ({ sentence, share: count / pages }))
        .toSorted((a, b) => b.share - a.share),
  };
}

/** Two pages and their likeness. */
export type Pair = { page: number; other: number; share: number };

/** Collects pages and compares every pair. Stores shingles as numbers, since there are thousands of pages. */
export function likenessIndex() {
  const ids = new Map<string, number>();
  const pages: Uint32Array[] = [];

  function add(shingles: ReadonlySet<string>) {
    const numbers = [...shingles].map((shingle) => ids.get(shingle) ?? ids.set(shingle, ids.size).size - 1);
    pages.push(Uint32Array.from(numbers));
  }

  /** @returns the likeness of every pair, and the most similar earlier page for each page */
  function compare(): { pairs: Float32Array; closest: Pair[] } {
    const pairs = new Float32Array((pages.length * (pages.length - 1)) / 2);
    const closest: Pair[] = [];
    // For each shingle, the earlier pages that contain it.
    const pagesByShingle: number[][] = Array.from({ length: ids.size }, () => []);
    let at = 0;
    for (const [page, own] of pages.entries()) {
      const shared = new Uint32Array(page);
      for (const shingle of own) {
        for (const other of pagesByShingle[shingle]!) shared[other]! += 1;
        pagesByShingle[shingle]!.push(page);
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

/** Returns the value at a quantile: `at([1, 2, 3], 0.5)` is 2. */
export function at(values: readonly number[] | Float32Array, share: number): number {
  // Typed arrays sort by value, unlike plain arrays.
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
