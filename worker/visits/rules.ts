import { isVisitorsPage } from "../edge-cache/sharing.ts";

/** A page opened, a form begun. */
export type Visit = "pages" | "forms";

/** D1 is written to so often at most, by each isolate, when many come at once. */
const PAUSE_MS = 3_000;

/** So many writes may come without a pause: few visitors are written down one by one. */
const BURST = 20;

/**
 * Counts in memory when many come at once. Few are handed on at once, so that nothing waits in an isolate that
 * may end; of many, at most the last three seconds do.
 */
export class VisitCounter {
  #waiting: Record<Visit, number> = { pages: 0, forms: 0 };
  /** When the pauses taken so far will be over (a leaky bucket: ITU-T I.371's generic cell rate algorithm). */
  #busyUntil = 0;

  /** @returns what is to be written now; null while it has to wait */
  count(visit: Visit, now: number): Record<Visit, number> | null {
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
