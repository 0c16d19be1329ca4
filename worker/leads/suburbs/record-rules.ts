import { callTimeBetween } from "../../../contract/call-clock.ts";
import { SERVICE_IDS, type ServiceId } from "../../../contract/catalogue.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { placeKey, startKey } from "../../../contract/place-names.ts";
import type { Region } from "../../../contract/regions.ts";
import { medianOf, REGION_CALL_MIN_SALES, type RegionCall } from "../../../contract/standing.ts";
import type { SuburbRecords } from "../../../contract/suburbs.ts";

/** Days of requests included in the statistics. */
export const RECORD_DAYS = 90;

/** Minimum requests and people. Fewer are not representative and might identify a person. */
const MIN_REQUESTS = 5;

const MONTH_DAYS = 30;

/** Fields of a request for the statistics. `person` distinguishes people and is never shown. */
export type RecordedRequest = {
  createdAt: number;
  serviceType: readonly string[];
  person: string | null;
  /** When a provider recorded the call; null until then. */
  calledAt: number | null;
};

/** Returns whether there are enough requests from enough people. */
function hasEnoughPeople(requests: readonly RecordedRequest[]): boolean {
  const people = new Set(requests.flatMap(({ person }) => person ?? []));
  return requests.length >= MIN_REQUESTS && people.size >= MIN_REQUESTS;
}

/** Returns the most requested service; in a tie, the catalogue's first. */
function findMostRequested(requests: readonly RecordedRequest[]): ServiceId | null {
  const byService = SERVICE_IDS.map((id) => ({
    id,
    asked: requests.filter(({ serviceType }) => serviceType.includes(id)),
  })).toSorted((a, b) => b.asked.length - a.asked.length);
  const [first] = byService;
  return first && hasEnoughPeople(first.asked) ? first.id : null;
}

function medianCallHours(requests: readonly RecordedRequest[]): number | null {
  const called = requests.filter(({ calledAt }) => calledAt !== null);
  if (!hasEnoughPeople(called)) return null;
  const waits = called.map(({ createdAt, calledAt }) => calledAt! - createdAt).toSorted((a, b) => a - b);
  return Math.max(1, Math.ceil(waits[Math.floor((waits.length - 1) / 2)]! / HOUR_MS));
}

/**
 * Computes statistics from a suburb's requests.
 * @param requests the suburb's requests of the last 90 days, newest first
 * @param maxRequests maximum requests read; a busy suburb's cover fewer than 90 days
 * @param now epoch ms
 */
export function recordsOf(
  requests: readonly RecordedRequest[],
  maxRequests: number,
  now: number,
): Omit<SuburbRecords, "regionCall"> {
  const isCut = requests.length >= maxRequests;
  const days = isCut ? Math.max(1, (now - requests.at(-1)!.createdAt) / DAY_MS) : RECORD_DAYS;
  return {
    requestsAMonth: hasEnoughPeople(requests) ? Math.round((requests.length * MONTH_DAYS) / days) : null,
    medianCallHours: medianCallHours(requests),
    mostAskedFor: findMostRequested(requests),
  };
}

/** A region's sale whose call clock counts. `calledAt` is null when the provider has not called. */
type RecordedSale = { region: Region; purchasedAt: number; calledAt: number | null };

/**
 * Returns a region's median time to call. A customer whom no provider has called counts as the longest time, so the
 * figure is not too good.
 * @param sales sales of one region whose call clock counts
 */
export function regionCallOf(sales: readonly RecordedSale[]): RegionCall | null {
  if (sales.length < REGION_CALL_MIN_SALES) return null;
  const median = medianOf(
    sales.map(({ purchasedAt, calledAt }) =>
      calledAt === null ? Number.POSITIVE_INFINITY : callTimeBetween(purchasedAt, calledAt),
    ),
  )!;
  if (median === Number.POSITIVE_INFINITY) return null;
  return { region: sales[0]!.region, medianMinutes: Math.max(1, Math.ceil(median / MINUTE_MS)) };
}

// Finds suburb names despite typos and missing spaces.

/** Returns a key's letters, so that "dee why" equals "deewhy". */
const lettersOf = (key: string) => key.replaceAll(/[^a-z]/g, "");

/** Returns the edit distance between `typed` and the closest prefix of `name`. */
function countTypos(typed: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, j) => j);
  for (let i = 1; i <= typed.length; i++) {
    const next = [i];
    for (let j = 1; j <= name.length; j++) {
      const change = row[j - 1]! + (typed[i - 1] === name[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return Math.min(...row);
}

/** Returns the allowed edit distance: one from four letters, two from seven. Short words resemble many others. */
function maxTypos(letters: number): number {
  return letters < 4 ? 0 : letters < 7 ? 1 : 2;
}

/**
 * Returns the names that the visitor may have meant, best match first.
 * @param typed a possible suburb name or its beginning
 * @param candidates equally good matches keep this order
 */
export function soundsLike<Candidate extends { name: string }>(
  typed: string,
  candidates: readonly Candidate[],
): Candidate[] {
  const letters = lettersOf(startKey(typed));
  const maxDistance = maxTypos(letters.length);
  return candidates
    .map((candidate) => ({ candidate, slips: countTypos(letters, lettersOf(placeKey(candidate.name))) }))
    .filter((found) => found.slips <= maxDistance)
    .toSorted((a, b) => a.slips - b.slips)
    .map(({ candidate }) => candidate);
}
