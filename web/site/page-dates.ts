/**
 * The day on which each of these pages last changed, and a hash of its text. The sitemap says the day too. A test fails
 * if a text changes without its day, and prints the new entry.
 */
export const PAGE_DATES = {
  "/how-it-works": { day: "2026-11-26", hash: "bb636eee502b8345" },
  "/privacy-policy": { day: "2026-11-26", hash: "f6cc09e6f72a1fea" },
  "/terms-conditions": { day: "2026-11-26", hash: "b2349ce073ed8837" },
} as const satisfies Record<string, { day: string; hash: string }>;

export type DatedPath = keyof typeof PAGE_DATES;
