/** Counts visits without identifying visitors: one row a day, without a cookie or an address. */

import { sql } from "drizzle-orm";
import { isbot } from "isbot";

import { sydneyDay } from "../../../contract/sydney-time.ts";
import type { Context } from "../../platform/context.ts";
import { marketDays } from "../tables.ts";
import { isVisitorsPage } from "../../platform/edge-cache/sharing.ts";
import { log } from "../../platform/log.ts";

/** Counts a page view or a started form. The response does not wait for the write. A failed write is not retried. */
export function countVisit(
  context: Context,
  ctx: Pick<ExecutionContext, "waitUntil">,
  visit: Visit,
  now: number,
): void {
  const counted = context.db
    .insert(marketDays)
    .values({ day: sydneyDay(now), [visit]: 1 })
    .onConflictDoUpdate({ target: marketDays.day, set: { [visit]: sql`${marketDays[visit]} + 1` } });
  ctx.waitUntil(counted.catch((error: unknown) => log("warn", "visits_not_counted", { error })));
}

/** A page view or a started form. */
type Visit = "pages" | "forms";

/** Returns whether a page of ours started a form, by the header that browsers send with a script's request. */
export function isFormStart({ headers }: Request): boolean {
  return headers.get("Sec-Fetch-Site") === "same-origin" && !isbot(headers.get("User-Agent"));
}

/**
 * Returns whether a person's browser opened a public page. API clients send no `Sec-Fetch-` headers. A prefetched page
 * has not been viewed yet.
 * @param isSignedIn whether a provider or an admin is signed in; their views do not count
 */
export function isPageVisit(request: Request, status: number, isSignedIn: boolean): boolean {
  const { method, headers } = request;
  return (
    method === "GET" &&
    (status === 200 || status === 304) &&
    !isSignedIn &&
    !isbot(headers.get("User-Agent")) &&
    headers.get("Sec-Fetch-Dest") === "document" &&
    headers.get("Sec-Fetch-Mode") === "navigate" &&
    !headers.has("Sec-Purpose") &&
    isVisitorsPage(new URL(request.url).pathname)
  );
}
