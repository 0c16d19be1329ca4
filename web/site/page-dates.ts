/**
 * The day on which each of these pages last changed, and a hash of its text. The sitemap says the day too. A test fails
 * if a text changes without its day, and prints the new entry.
 */
export const PAGE_DATES = {
  "/how-it-works": { day: "2026-11-26", hash: "76b989d8f01d8d4c" },
  "/privacy-policy": { day: "2026-11-26", hash: "3244ef985934215a" },
  "/terms-conditions": { day: "2026-11-26", hash: "9e9bf95a0ad68a3b" },
} as const satisfies Record<string, { day: string; hash: string }>;

export type DatedPath = keyof typeof PAGE_DATES;
