import { sydneyDay } from "../../../contract/sydney-time.ts";
import { isVisitorsPage } from "../../platform/edge-cache/sharing.ts";
import { MORE_FOR_48, MORE_FOR_56, type NetworkPrefixes } from "../../platform/network.ts";

/** A page view or a started form. */
export type Visit = "pages" | "forms";

/** Minimum interval between an isolate's writes to D1 under load. */
const REFILL_MS = 3_000;

/** Maximum writes without a pause. Under light load, the counter writes each visit at once. */
const BURST = 20;

/** Maximum visits counted per /64 and day, in one isolate. */
const MAX_PER_NETWORK: Record<Visit, number> = { pages: 40, forms: 10 };
/** Multiplier for IPv4: carriers put many visitors behind one address. */
const MORE_FOR_IPV4 = MORE_FOR_48;

/** Maximum networks in memory. Above this limit, all totals are cleared. */
const MAX_NETWORKS = 20_000;

/**
 * Batches counts in memory. Returns the first few visits at once, because an isolate may end at any time. Under load,
 * at most the last three seconds of visits wait.
 */
export class VisitCounter {
  #waiting: Record<Visit, number> = { pages: 0, forms: 0 };
  /** When the scheduled pauses end (a leaky bucket: ITU-T I.371's generic cell rate algorithm). */
  #busyUntil = 0;
  #day = "";
  /** Visits per network today. Kept in memory only. */
  #added = new Map<string, number>();

  /** Adds a visit to its networks' daily totals. @returns whether all of them are within their limits */
  #addToNetworks(visit: Visit, { by64, by56, by48 }: NetworkPrefixes, now: number): boolean {
    const day = sydneyDay(now);
    if (day !== this.#day || this.#added.size > MAX_NETWORKS) this.#added.clear();
    this.#day = day;
    const limits =
      by64 === by48
        ? [[by64, MORE_FOR_IPV4] as const]
        : [[by64, 1] as const, [by56, MORE_FOR_56] as const, [by48, MORE_FOR_48] as const];
    const totals = limits.map(([network, more]) => {
      const key = `${visit} ${network}`;
      return { key, count: this.#added.get(key) ?? 0, max: MAX_PER_NETWORK[visit] * more };
    });
    if (totals.some(({ count, max }) => count >= max)) return false;
    for (const { key, count } of totals) this.#added.set(key, count + 1);
    return true;
  }

  /** Counts a visit. @returns the counts to write now; null to wait or if the network has reached its daily limit */
  count(visit: Visit, networks: NetworkPrefixes, now: number): Record<Visit, number> | null {
    if (!this.#addToNetworks(visit, networks, now)) return null;
    this.#waiting[visit] += 1;
    const busyUntil = Math.max(this.#busyUntil, now);
    if (busyUntil - now > (BURST - 1) * REFILL_MS) return null;
    this.#busyUntil = busyUntil + REFILL_MS;
    const visits = this.#waiting;
    this.#waiting = { pages: 0, forms: 0 };
    return visits;
  }
}

/**
 * Returns whether a browser opened a public page. API clients send no `Sec-Fetch-` headers. A prefetched page has not
 * been viewed yet.
 * @param isSignedIn whether a provider or an admin is signed in; their views do not count
 */
export function isPageVisit(request: Request, status: number, isSignedIn: boolean): boolean {
  const { method, headers } = request;
  return (
    method === "GET" &&
    (status === 200 || status === 304) &&
    !isSignedIn &&
    headers.get("Sec-Fetch-Dest") === "document" &&
    headers.get("Sec-Fetch-Mode") === "navigate" &&
    !headers.has("Sec-Purpose") &&
    isVisitorsPage(new URL(request.url).pathname)
  );
}
