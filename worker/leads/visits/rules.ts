import { sydneyDay } from "../../../contract/sydney-time.ts";
import { isVisitorsPage } from "../../platform/edge-cache/sharing.ts";
import { MORE_FOR_48, MORE_FOR_56, type NetworkPrefixes } from "../../platform/network.ts";

/** A page opened, a form begun. */
export type Visit = "pages" | "forms";

/** D1 is written to so often at most, by each isolate, when many come at once. */
const PAUSE_MS = 3_000;

/** So many writes may come without a pause: few visitors are written down one by one. */
const BURST = 20;

/** What one /64 adds a day at most, as far as one isolate sees. */
const MAX_PER_NETWORK: Record<Visit, number> = { pages: 40, forms: 10 };
/** Carriers put many visitors behind one IPv4 address. */
const MORE_FOR_IPV4 = MORE_FOR_48;

/** Networks that are remembered; beyond them counting starts again. */
const MAX_NETWORKS = 20_000;

/**
 * Counts in memory when many come at once. Few are handed on at once, so that nothing waits in an isolate that
 * may end; of many, at most the last three seconds do.
 */
export class VisitCounter {
  #waiting: Record<Visit, number> = { pages: 0, forms: 0 };
  /** When the pauses taken so far will be over (a leaky bucket: ITU-T I.371's generic cell rate algorithm). */
  #busyUntil = 0;
  #day = "";
  /** What each network has added today. Kept in memory only. */
  #added = new Map<string, number>();

  /** Adds a visit to its networks' totals of the day. @returns whether none of them is used up */
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

  /** @returns what is to be written now; null while it has to wait, or when the network has added enough today */
  count(visit: Visit, networks: NetworkPrefixes, now: number): Record<Visit, number> | null {
    if (!this.#addToNetworks(visit, networks, now)) return null;
    this.#waiting[visit] += 1;
    const busyUntil = Math.max(this.#busyUntil, now);
    if (busyUntil - now > (BURST - 1) * PAUSE_MS) return null;
    this.#busyUntil = busyUntil + PAUSE_MS;
    const visits = this.#waiting;
    this.#waiting = { pages: 0, forms: 0 };
    return visits;
  }
}

/**
 * Whether somebody's browser opened one of visitors' pages. Programs that only fetch send no `Sec-Fetch-` headers,
 * and a page that is fetched in advance is not looked at yet.
 * @param isSignedIn providers and admins are no visitors
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
