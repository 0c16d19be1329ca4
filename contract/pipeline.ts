/**
 * How a pipeline is searched, filtered and sorted. One definition for both sides: the server answers the
 * first page of what the address asks for, the browser goes on by itself once it has all purchases.
 */
import { DAY_MS } from "./durations.ts";
import * as z from "zod/mini";

import { foldName } from "./mentions.ts";
import { SALES_STAGES, knownStage, type SalesStage } from "./stages.ts";

/** Where a purchase stands: its stage while it is open, `final` once it is closed or archived. */
export const PIPELINE_TILE_KEYS = [...SALES_STAGES, "final"] as const;
export type PipelineTileKey = SalesStage | "final";

export const PIPELINE_SORTS = ["newest", "oldest", "next", "updated"] as const;
export type PipelineSort = (typeof PIPELINE_SORTS)[number];

export const SORT_LABELS: Record<PipelineSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  next: "Next action first",
  updated: "Last changed first",
};

/** Later than any date: where purchases without a next action stand when sorted by it. */
export const NO_DATE = 8_640_000_000_000_000;

/** How old the request is. */
export const PIPELINE_AGES = ["day", "week", "month", "older"] as const;
export type PipelineAge = (typeof PIPELINE_AGES)[number];

export const AGE_LABELS: Record<PipelineAge, string> = {
  day: "Under 24 hours",
  week: "Under 7 days",
  month: "Under 30 days",
  older: "30 days and older",
};

const AGE_MS: Record<Exclude<PipelineAge, "older">, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

const text = (max: number) => z.optional(z.string().check(z.trim(), z.maxLength(max)));

/** The filter as a query string carries it; what it does not know is refused. */
export const pipelineFilterSchema = z.object({
  tile: z.optional(z.enum(PIPELINE_TILE_KEYS, "Unknown tile")),
  q: text(100),
  service: text(40),
  suburb: text(100),
  age: z.optional(z.enum(PIPELINE_AGES, "Unknown age")),
  sort: z._default(z.enum(PIPELINE_SORTS, "Unknown order"), "newest"),
});
export type PipelineFilter = z.infer<typeof pipelineFilterSchema>;

/** What of a purchase the filter looks at; the API's rows and the browser's both have it. */
export type Filterable = {
  id: string;
  salesStage: string;
  isArchived: boolean;
  finalisedAt: number | null;
  purchasedAt: number;
  updatedAt: number;
  nextActionAt: number | null;
  nextActionNote: string | null;
  leadCreatedAt: number;
  customerName: string;
  customerPhone: string;
  customerEmail: string | null;
  customerAddress: string | null;
  suburbName: string | null;
  suburbPostcode: string | null;
  serviceType: readonly string[];
  salesNotes: string | null;
  specificRequests: string | null;
};

/** Whether a purchase is closed: such ones stand under Final, whatever their stage, and are read only. */
export function isFinal(purchase: Pick<Filterable, "isArchived" | "finalisedAt">): boolean {
  return purchase.isArchived || purchase.finalisedAt !== null;
}

/** The tile a purchase stands on. */
export function tileOf(
  purchase: Pick<Filterable, "salesStage" | "isArchived" | "finalisedAt">,
): PipelineTileKey {
  return isFinal(purchase) ? "final" : knownStage(purchase.salesStage);
}

const APOSTROPHES = /['’‘ʼ`´]/g;

const splitWords = (words: string) => words.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** The words that were typed; "O'Brien" is one. */
const wordsOf = (typed: string) => splitWords(foldName(typed.replaceAll(APOSTROPHES, "")));

const digits = (words: string) => words.replaceAll(/\D/g, "").replace(/^61/, "0");

/** What a purchase is searched by, once per purchase: searching types many letters. */
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
  const phone = digits(purchase.customerPhone);
  // "O'Brien" is found as one word and by "brien" alone.
  const words = [...new Set([...wordsOf(text), ...splitWords(foldName(text.replaceAll(APOSTROPHES, " ")))])];
  const haystack = { words: phone ? [...words, phone] : words, phone };
  haystacks.set(purchase, haystack);
  return haystack;
}

/** Words this short have to be typed without a mistake. */
const MIN_FUZZY_LETTERS = 5;

/** Whether a word begins with what was typed, but for one letter: wrong, missing, added, or swapped with the next. */
function almostBegins(word: string, typed: string): boolean {
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

/** Whether one of the words begins with what was typed. A number has to be right. */
function hasWord(words: readonly string[], typed: string): boolean {
  if (words.some((word) => word.startsWith(typed))) return true;
  const isFuzzy = typed.length >= MIN_FUZZY_LETTERS && !/\d/.test(typed);
  return isFuzzy && words.some((word) => almostBegins(word, typed));
}

/**
 * Whether a purchase has every word that was typed, by its beginning and with one wrong letter in a long one.
 * A phone number is found however it is spaced.
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
  const old = now - leadCreatedAt;
  return age === "older" ? old >= AGE_MS.month : old < AGE_MS[age];
}

/** Whether a purchase is what the filter asks for; `sort` plays no part. */
export function matchesFilter(
  purchase: Filterable,
  filter: Omit<PipelineFilter, "sort">,
  now: number,
): boolean {
  return (
    (filter.tile === undefined || tileOf(purchase) === filter.tile) &&
    (!filter.service || purchase.serviceType.includes(filter.service)) &&
    (!filter.suburb || purchase.suburbName === filter.suburb) &&
    matchesAge(purchase.leadCreatedAt, filter.age, now) &&
    matchesSearch(purchase, filter.q)
  );
}

const byId = (a: Filterable, b: Filterable) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const nextOf = (purchase: Filterable) => purchase.nextActionAt ?? Number.POSITIVE_INFINITY;

const ORDERS: Record<PipelineSort, (a: Filterable, b: Filterable) => number> = {
  newest: (a, b) => b.purchasedAt - a.purchasedAt || byId(b, a),
  oldest: (a, b) => a.purchasedAt - b.purchasedAt || byId(a, b),
  updated: (a, b) => b.updatedAt - a.updatedAt || byId(b, a),
  next: (a, b) => (nextOf(a) === nextOf(b) ? byId(a, b) : nextOf(a) - nextOf(b)),
};

/** How two purchases stand to each other in a sorted list. */
export function orderOf(sort: PipelineSort): (a: Filterable, b: Filterable) => number {
  return ORDERS[sort];
}

/** Query of GET /api/pipeline. */
export const pipelinePageSchema = z.extend(pipelineFilterSchema, {
  limit: z._default(
    z.coerce.number("A number from 1 to 500").check(z.int(), z.minimum(1), z.maximum(500)),
    50,
  ),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});

/** Query of GET /api/pipeline/changes. */
export const pipelineChangesSchema = z.object({
  /** Epoch ms: what changed at or after it is told. */
  since: z._default(z.coerce.number("A time in milliseconds").check(z.int(), z.minimum(0)), 0),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});

/** How many purchases stand on each tile. */
export type TileCounts = Record<PipelineTileKey, number>;
