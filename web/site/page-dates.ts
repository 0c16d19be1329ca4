/**
 * The day on which each of these pages last changed, and a hash of its text. The sitemap says the day too. A test fails
 * if a text changes without its day, and prints the new entry.
 */
export const PAGE_DATES = {
  "/how-it-works": { day: "2026-11-26", hash: "3fc9473ccbfd510d" },
  "/privacy-policy": { day: "2026-11-28", hash: "fc57a4126204d44c" },
  "/terms-conditions": { day: "2026-11-28", hash: "b6a67cd79bc50fa7" },
} as const satisfies Record<string, { day: string; hash: string }>;

export type DatedPath = keyof typeof PAGE_DATES;
