/** Computes where a job that walks all regions continues. */
import * as z from "zod/mini";

import { REGION_SLUGS, type Region, getNextRegion } from "../../../contract/regions.ts";

/** The last row of a page. Exchanges and Stripe page by ID alone, and their `createdAt` is 0. */
export type RowPlace = { createdAt: number; id: string };

/** A walk's cursor. It stores the names of its leg and region, so that either can be added between two parts. */
const cursorSchema = z.object({
  leg: z.string(),
  region: z.enum(REGION_SLUGS),
  after: z.nullable(z.object({ createdAt: z.int(), id: z.string() })),
});
export type WalkCursor = z.infer<typeof cursorSchema>;

/** A walk's legs by name, in order. A leg that is not `isRegional` is walked once, not once per region. */
type Legs = Readonly<Record<string, { isRegional: boolean }>>;

function startOf(leg: string | undefined, only: Region | null): WalkCursor | null {
  return leg === undefined ? null : { leg, region: only ?? REGION_SLUGS[0], after: null };
}

/**
 * Reads a stored cursor; null means the start of the walk.
 * @throws Error if its leg or region does not exist
 */
export function readCursor(legs: Legs, progress: unknown, only: Region | null): WalkCursor {
  const cursor = progress === null ? startOf(Object.keys(legs)[0], only) : cursorSchema.parse(progress);
  if (!cursor || !(cursor.leg in legs)) throw new Error(`The walk has no leg ${cursor?.leg}`);
  return cursor;
}

/**
 * Returns the cursor after a page: in the same region, in the next region, or at the start of the next leg.
 * @param next where the same region continues; null after its last row
 * @param only the only region to visit; null for all
 */
export function advanceCursor(
  legs: Legs,
  cursor: WalkCursor,
  next: RowPlace | null,
  only: Region | null,
): WalkCursor | null {
  if (next) return { ...cursor, after: next };
  const region = legs[cursor.leg]!.isRegional && !only ? getNextRegion(cursor.region) : null;
  if (region) return { ...cursor, region, after: null };
  const names = Object.keys(legs);
  return startOf(names[names.indexOf(cursor.leg) + 1], only);
}
