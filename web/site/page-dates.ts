/**
 * The day on which each of these pages last changed, and a hash of its text. The sitemap says the day too. A test fails
 * if a text changes without its day, and prints the new entry.
 */
export const PAGE_DATES = {
  "/how-it-works": { day: "2026-11-29", hash: "40c41bee9d0de2e8" },
  "/privacy-policy": { day: "2026-11-29", hash: "35521c2887faab97" },
  "/terms-conditions": { day: "2026-11-29", hash: "817fbd2ab35f979c" },
} as const satisfies Record<string, { day: string; hash: string }>;

export type DatedPath = keyof typeof PAGE_DATES;

export const isDated = (path: string): path is DatedPath => Object.hasOwn(PAGE_DATES, path);
