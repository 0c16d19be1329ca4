import { isbot } from "isbot";

import { isVisitorsPage } from "../../platform/edge-cache/sharing.ts";

/** A page view or a started form. */
export type Visit = "pages" | "forms";

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
