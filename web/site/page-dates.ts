/**
 * The day on which each of these pages last changed, and a hash of its text. The sitemap says the day too. A test fails
 * if a text changes without its day, and prints the new entry.
 */
export const PAGE_DATES = {
  "/how-it-works": { day: "2026-11-26", hash: "a423cc61fe497a43" },
  "/privacy-policy": { day: "2026-11-26", hash: "d7ae55f29c02d9f5" },
  "/terms-conditions": { day: "2026-11-26", hash: "741b541711c6f0b6" },
} as const satisfies Record<string, { day: string; hash: string }>;

export type DatedPath = keyof typeof PAGE_DATES;
