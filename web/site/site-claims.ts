/** The claims of the documents. The layout loads them once for its page. */
import { type RouterContextProvider, useRouteLoaderData } from "react-router";

import type { ServiceId } from "../../contract/catalogue.ts";
import type { JobPrice, PublicFigures } from "../../contract/public-figures.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext, reportContext, requestContext } from "../lib/server-context.ts";
import { type Claims, floorMean, resolveClaims } from "./claims.ts";

const LAYOUT_ID = "site/site-layout";

/** A mean of reviews as in structured data. */
export type Rating = { ratingValue: number; reviewCount: number };

export type SiteClaims = { claims: Claims; rating: Rating | null };

const NONE: SiteClaims = { claims: resolveClaims({}, false, {}), rating: null };

async function readFigures(context: Readonly<RouterContextProvider>): Promise<PublicFigures> {
  try {
    return await unwrap(context.get(apiContext).api["public-figures"].$get());
  } catch (error) {
    // A page without figures is better than no page.
    context.get(reportContext)("public_figures_failed", error);
    return {};
  }
}

/** Returns the claims to show, and the mean of the reviews if the claim `rating` says it. */
export async function loadClaims(context: Readonly<RouterContextProvider>): Promise<SiteClaims> {
  const figures = await readFigures(context);
  const { showsSampleClaims } = context.get(requestContext);
  const claims = resolveClaims(figures, showsSampleClaims);
  const isComputed = figures.rating && !showsSampleClaims && claims.rating !== null;
  const rating = isComputed
    ? { ratingValue: floorMean(figures.rating!.value), reviewCount: figures.rating!.n }
    : null;
  return { claims, rating };
}

/** Returns a council's prices by service, or a service's prices by council. */
export async function loadJobPrices(
  context: Readonly<RouterContextProvider>,
  query: { council: string } | { service: ServiceId },
): Promise<JobPrice[]> {
  try {
    return await unwrap(context.get(apiContext).api["public-figures"].prices.$get({ query }));
  } catch (error) {
    context.get(reportContext)("public_figures_failed", error);
    return [];
  }
}

/** Returns the claims of the current document. */
export function useClaims(): Claims {
  return (useRouteLoaderData(LAYOUT_ID) as SiteClaims | undefined)?.claims ?? NONE.claims;
}

/** Returns the claims for a document's metadata. @param matches from its `meta` arguments */
export function findClaims(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): SiteClaims {
  return (matches.find((match) => match?.id === LAYOUT_ID)?.loaderData as SiteClaims | undefined) ?? NONE;
}
