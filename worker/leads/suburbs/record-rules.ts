import { SERVICE_IDS, type ServiceId } from "../../../contract/catalogue.ts";
import { callTimeBetween } from "../../../contract/call-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
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
export type RecordedSale = { region: Region; purchasedAt: number; calledAt: number | null };

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
