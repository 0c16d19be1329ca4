/** Computes where a walk over the regions continues. */
import * as z from "zod/mini";

import { REGION_SLUGS, type Region, getNextRegion } from "../../../contract/regions.ts";

/** The last row of a page. Exchanges and Stripe page by ID alone, and their `createdAt` is 0. */
export type RowPlace = { createdAt: number; id: string };

/** A walk's cursor. It stores the names of its leg and region, so that either can be added between two parts. */
const placeSchema = z.object({
  leg: z.string(),
  region: z.enum(REGION_SLUGS),
  after: z.nullable(z.object({ createdAt: z.int(), id: z.string() })),
});
export type WalkPlace = z.infer<typeof placeSchema>;

/** A walk's legs by name, in order. A leg that is not `isRegional` is walked once, not once per region. */
type Legs = Readonly<Record<string, { isRegional: boolean }>>;

function startOf(leg: string | undefined, only: Region | null): WalkPlace | null {
  return leg === undefined ? null : { leg, region: only ?? REGION_SLUGS[0], after: null };
}

/**
 * Reads a stored cursor; null means the start of the walk.
 * @throws Error if its leg or region does not exist
 */
export function readWalkPlace(legs: Legs, progress: unknown, only: Region | null): WalkPlace {
  const place = progress === null ? startOf(Object.keys(legs)[0], only) : placeSchema.parse(progress);
  if (!place || !(place.leg in legs)) throw new Error(`The walk has no leg ${place?.leg}`);
  return place;
}

/**
 * Returns the place after a page: in the same region, in the next region, or at the start of the next leg.
 * @param next where the same region continues; null after its last row
 * @param only the only region to visit; null for all
 */
export function placeAfter(
  legs: Legs,
  place: WalkPlace,
  next: RowPlace | null,
  only: Region | null,
): WalkPlace | null {
  if (next) return { ...place, after: next };
  const region = legs[place.leg]!.isRegional && !only ? getNextRegion(place.region) : null;
  if (region) return { ...place, region, after: null };
  const names = Object.keys(legs);
  return startOf(names[names.indexOf(place.leg) + 1], only);
}

/** Losses that a reprojection cannot fix. An admin resolves them in the attention list. */
export const LOSSES = ["sale_without_lead", "sale_without_buyer", "sale_conflict"] as const;
