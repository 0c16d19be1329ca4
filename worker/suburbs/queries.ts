import { and, between, desc, eq, inArray, ne, sql } from "drizzle-orm";

import type { NearbySuburb, SuburbDetail, SuburbListItem } from "../../contract/suburbs.ts";
import type { Db } from "../db/client.ts";
import { suburbs } from "../db/schema.ts";
import { choosePlace, distanceKm, type Place, placeHints } from "./rules.ts";

const listColumns = {
  id: suburbs.id,
  slug: suburbs.slug,
  name: suburbs.name,
  postcode: suburbs.postcode,
  council: suburbs.council,
  state: suburbs.state,
  priceFrom: suburbs.priceFrom,
  latitude: suburbs.latitude,
  longitude: suburbs.longitude,
};

const detailColumns = {
  ...listColumns,
  region: suburbs.region,
  description: suburbs.description,
  phone: suburbs.phone,
  email: suburbs.email,
  address: suburbs.address,
  openingHours: suburbs.openingHours,
};

/** Active suburbs, the most populous first. */
export function listActiveSuburbs(db: Db, limit: number): Promise<SuburbListItem[]> {
  return db
    .select(listColumns)
    .from(suburbs)
    .where(eq(suburbs.isActive, true))
    .orderBy(desc(suburbs.population))
    .limit(limit);
}

/** An active suburb by slug, or by name (then the most populous of that name); null when there is none. */
export async function findSuburb(db: Db, nameOrSlug: string): Promise<SuburbDetail | null> {
  const wanted = nameOrSlug.trim();
  const [bySlug, byName] = await db.batch([
    db
      .select(detailColumns)
      .from(suburbs)
      .where(and(eq(suburbs.slug, wanted.toLowerCase()), eq(suburbs.isActive, true))),
    db
      .select(detailColumns)
      .from(suburbs)
      // The plus keeps SQLite to the index on names: few suburbs share one, hundreds are active.
      .where(and(sql`${suburbs.name} = ${wanted} COLLATE NOCASE`, sql`+${suburbs.isActive} = 1`))
      .orderBy(desc(suburbs.population))
      .limit(1),
  ]);
  return bySlug[0] ?? byName[0] ?? null;
}

/** Active suburbs of the same council near a suburb, nearest first. */
export async function listNearby(db: Db, suburb: SuburbDetail, limit: number): Promise<NearbySuburb[]> {
  // A band of latitude through an index keeps the rows read independent of how many suburbs there are.
  const reachDegrees = 0.25;
  const rows = await db
    .select(listColumns)
    .from(suburbs)
    .where(
      and(
        eq(suburbs.council, suburb.council),
        eq(suburbs.isActive, true),
        ne(suburbs.id, suburb.id),
        between(suburbs.latitude, suburb.latitude - reachDegrees, suburb.latitude + reachDegrees),
      ),
    )
    .limit(50);
  return rows
    .map(({ slug, name, postcode, ...point }) => ({
      slug,
      name,
      postcode,
      distanceKm: distanceKm(suburb, point),
    }))
    .toSorted((a, b) => a.distanceKm - b.distanceKm)
    .slice(0, limit);
}

const placeColumns = {
  id: suburbs.id,
  name: suburbs.name,
  postcode: suburbs.postcode,
  region: suburbs.region,
  latitude: suburbs.latitude,
  longitude: suburbs.longitude,
  population: suburbs.population,
};

/**
 * The suburb of a request: the one it names by id, else the one its address most likely means.
 * All 4,499 localities count here, whether or not they have a page. Null when nothing fits.
 */
export async function resolvePlace(
  db: Db,
  request: { suburbId?: string | null | undefined; address: string },
): Promise<Place | null> {
  if (request.suburbId) {
    const [place] = await db.select(placeColumns).from(suburbs).where(eq(suburbs.id, request.suburbId));
    if (place) return place;
  }
  const { postcodes, names } = placeHints(request.address);
  if (postcodes.length + names.length === 0) return null;
  // Two statements, each on its own index: with an OR, SQLite would read all the suburbs.
  const [byPostcode, byName] = await db.batch([
    db.select(placeColumns).from(suburbs).where(inArray(suburbs.postcode, postcodes)),
    db
      .select(placeColumns)
      .from(suburbs)
      .where(inArray(sql`${suburbs.name} COLLATE NOCASE`, names)),
  ]);
  const candidates = [...new Map([...byPostcode, ...byName].map((place) => [place.id, place])).values()];
  return choosePlace(request.address, candidates);
}
