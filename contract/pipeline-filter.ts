/** Matches purchases against a filter. Separate from pipeline.ts, which the dashboard loads first. */
import { DAY_MS } from "./durations.ts";
import { foldName } from "./mentions.ts";
import { type Filterable, type PipelineAge, getTile } from "./pipeline.ts";
import { phoneKey } from "./phone.ts";
import type { PipelineFilter } from "./pipeline-queries.ts";

const AGE_MS: Record<Exclude<PipelineAge, "older">, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

const APOSTROPHES = /['’‘ʼ`´]/g;

const splitWords = (words: string) => words.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Splits a search into words. "O'Brien" is one word. */
const wordsOf = (typed: string) => splitWords(foldName(typed.replaceAll(APOSTROPHES, "")));

const digits = (words: string) => words.replaceAll(/\D/g, "").replace(/^61/, "0");

/** Caches each purchase's searchable words, because a search runs on every keystroke. */
const haystacks = new WeakMap<object, { words: readonly string[]; phone: string }>();

function haystackOf(purchase: Filterable) {
  const known = haystacks.get(purchase);
  if (known) return known;
  const text = [
    purchase.customerName,
    purchase.customerEmail,
    purchase.customerAddress,
    purchase.suburbName,
    purchase.suburbPostcode,
    purchase.salesNotes,
    purchase.specificRequests,
    purchase.nextActionNote,
  ]
    .filter(Boolean)
    .join("\n");
  const phone = digits(phoneKey(purchase.customerPhone) ?? purchase.customerPhone);
  // "O'Brien" matches as one word, and as "brien" alone.
  const words = [...new Set([...wordsOf(text), ...splitWords(foldName(text.replaceAll(APOSTROPHES, " ")))])];
  const haystack = { words: phone ? [...words, phone] : words, phone };
  haystacks.set(purchase, haystack);
  return haystack;
}

/** Shorter words must match exactly. */
const MIN_FUZZY_LETTERS = 5;

/** Returns whether a word starts with the typed text, allowing one wrong, missing, extra or swapped letter. */
function fuzzyStartsWith(word: string, typed: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at += 1;
  const rest = typed.slice(at + 1);
  return (
    word.startsWith(rest, at + 1) ||
    word.startsWith(rest, at) ||
    word.startsWith(typed.slice(at), at + 1) ||
    (typed[at] === word[at + 1] && typed[at + 1] === word[at] && word.startsWith(typed.slice(at + 2), at + 2))
  );
}

/** Returns whether one of the words starts with the typed text. Numbers must match exactly. */
function hasWord(words: readonly string[], typed: string): boolean {
  if (words.some((word) => word.startsWith(typed))) return true;
  const isFuzzy = typed.length >= MIN_FUZZY_LETTERS && !/\d/.test(typed);
  return isFuzzy && words.some((word) => fuzzyStartsWith(word, typed));
}

/**
 * Returns whether a purchase matches every typed word. A word matches by prefix, and a long one may have one wrong
 * letter. A phone number matches with any spacing.
 */
export function matchesSearch(purchase: Filterable, q: string | undefined): boolean {
  if (!q) return true;
  const { words, phone } = haystackOf(purchase);
  const number = /^[\d\s()+-]+$/.test(q) ? digits(q) : "";
  if (number.length >= 3 && phone.includes(number)) return true;
  return wordsOf(q).every((typed) => hasWord(words, typed));
}

function matchesAge(leadCreatedAt: number, age: PipelineAge | undefined, now: number): boolean {
  if (!age) return true;
  const ageMs = now - leadCreatedAt;
  return age === "older" ? ageMs >= AGE_MS.month : ageMs < AGE_MS[age];
}

/** Time and user for which the filter is evaluated. */
export type FilterContext = { now: number; userId: string };

/** Returns whether a purchase matches the filter; ignores `sort`. */
export function matchesFilter(
  purchase: Filterable,
  filter: Omit<PipelineFilter, "sort">,
  { now, userId }: FilterContext,
): boolean {
  return (
    (filter.tile === undefined || getTile(purchase) === filter.tile) &&
    (!filter.service || purchase.serviceType.includes(filter.service)) &&
    (!filter.suburb || purchase.suburbName === filter.suburb) &&
    matchesAge(purchase.leadCreatedAt, filter.age, now) &&
    (!filter.mine || purchase.assignedTo === userId) &&
    matchesSearch(purchase, filter.q)
  );
}
