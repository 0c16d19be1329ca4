import { and, desc, eq, gte, inArray, isNull, or, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";

import { suburbHints, suburbPart } from "../../../contract/address.ts";
import { bearing, distanceKm } from "../../../contract/distance.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { FACTS_NEEDED } from "../../../contract/suburb-facts.ts";
import type {
  AddressPlace,
  AdminSuburb,
  NearbySuburb,
  SuburbDetail,
  SuburbListItem,
  SuburbRecords,
  SuburbSuggestion,
} from "../../../contract/suburbs.ts";
import type { Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { olderThan } from "../../platform/db/paging.ts";
import { leadPurchases, leads, suburbs } from "../../platform/db/schema.ts";
import { RECORD_DAYS, recordsOf } from "./record-rules.ts";
import { areaHints, findPlace, type FoundPlace, type Place, placeHints, STREET_KINDS } from "./rules.ts";
import { soundsLike, spellOut } from "./spelling.ts";

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

/** What an operator has said of a suburb is a fact of its own: words on it, and how it is reached. */
const hasText = (column: SQLiteColumn) => sql`(coalesce(${column}, '') <> '')`;
const facts = sql`(${suburbs.referenceFacts} + ${hasText(suburbs.description)} + (${or(
  ...[suburbs.phone, suburbs.email, suburbs.address, suburbs.openingHours].map(hasText),
)}))`;

/** Decided by what its page knows, not by anybody's switch. */
const isListed = sql<boolean>`${facts} >= ${FACTS_NEEDED}`.mapWith(Boolean);

const detailColumns = {
  ...listColumns,
  region: suburbs.region,
  population: suburbs.population,
  isActive: suburbs.isActive,
  isListed,
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

/** Every suburb whose page search engines may list, the most populous first. */
export function listListed(db: Db): Promise<{ slug: string; council: string }[]> {
  return db
    .select({ slug: suburbs.slug, council: suburbs.council })
    .from(suburbs)
    .where(sql`${facts} >= ${FACTS_NEEDED}`)
    .orderBy(desc(suburbs.population));
}

/** All localities of a council, whether our own lists show them or not, the most populous first. */
export function listCouncil(db: Db, council: string, limit: number): Promise<SuburbListItem[]> {
  return db
    .select(listColumns)
    .from(suburbs)
    .where(eq(suburbs.council, council))
    .orderBy(desc(suburbs.isActive), desc(suburbs.population))
    .limit(limit);
}

/**
 * Any locality by slug, or by name: of several, one that is active before others, then the most populous.
 * Null when there is none.
 */
export async function findSuburb(db: Db, nameOrSlug: string): Promise<SuburbDetail | null> {
  const wanted = nameOrSlug.trim();
  // Pages are asked for by slug: one statement and one row for nearly all.
  const [bySlug] = await db.select(detailColumns).from(suburbs).where(eq(suburbs.slug, wanted.toLowerCase()));
  if (bySlug) return bySlug;
  const [byName] = await db
    .select(detailColumns)
    .from(suburbs)
    .where(sql`${suburbs.name} = ${wanted} COLLATE NOCASE`)
    // The plus keeps SQLite to the index on names: few suburbs share one.
    .orderBy(sql`+${suburbs.isActive} DESC`, desc(suburbs.population))
    .limit(1);
  return byName ?? null;
}

/**
 * The places around a suburb, nearest first, whichever council they are in. Null when no suburb has this slug, or
 * nobody has worked out yet what lies around it.
 */
export async function listNearby(
  db: Db,
  slug: string,
): Promise<{ council: string; nearby: NearbySuburb[] } | null> {
  const here = alias(suburbs, "here");
  const point = (table: typeof suburbs | typeof here) => ({
    latitude: table.latitude,
    longitude: table.longitude,
  });
  const rows = await db
    .select({
      ownCouncil: here.council,
      here: point(here),
      there: point(suburbs),
      place: {
        slug: suburbs.slug,
        name: suburbs.name,
        postcode: suburbs.postcode,
        council: suburbs.council,
        population: suburbs.population,
      },
    })
    .from(here)
    // Their slugs stand in the suburb's own row: no more rows are read than there are neighbours.
    .innerJoin(suburbs, sql`${suburbs.slug} IN (SELECT value FROM json_each(${here.near}))`)
    .where(eq(here.slug, slug.trim().toLowerCase()));
  if (!rows[0]) return null;
  const nearby = rows.map(({ here, there, place }) => ({
    ...place,
    distanceKm: distanceKm(here, there),
    bearing: bearing(here, there),
  }));
  return {
    council: rows[0].ownCouncil,
    nearby: nearby.toSorted((a, b) => a.distanceKm - b.distanceKm),
  };
}

/** Of a suburb's requests no more are read for its page. */
const MOST_REQUESTS = 200;

/** What our own records say of a suburb; nothing of what was kept aside, or what a provider typed in. */
export async function readRecords(db: Db, slug: string, now: number): Promise<SuburbRecords> {
  const rows = await db
    .select({
      createdAt: leads.createdAt,
      serviceType: leads.serviceType,
      person: leads.phoneKey,
      calledAt: leadPurchases.calledAt,
    })
    .from(leads)
    .leftJoin(leadPurchases, and(eq(leadPurchases.leadId, leads.id), isNull(leadPurchases.removedAt)))
    .where(
      and(
        sql`${leads.suburbId} = (SELECT id FROM suburbs WHERE slug = ${slug.trim().toLowerCase()})`,
        // In the words of the index leads_suburb.
        sql`${leads.source} <> 'manual'`,
        gte(leads.createdAt, now - RECORD_DAYS * DAY_MS),
        sql`${leads.listingState} <> 'quarantined'`,
      ),
    )
    .orderBy(desc(leads.createdAt))
    .limit(MOST_REQUESTS);
  return recordsOf(rows, MOST_REQUESTS, now);
}

const placeColumns = {
  id: suburbs.id,
  name: suburbs.name,
  postcode: suburbs.postcode,
  council: suburbs.council,
  state: suburbs.state,
  region: suburbs.region,
  latitude: suburbs.latitude,
  longitude: suburbs.longitude,
  population: suburbs.population,
};

/**
 * The suburb of a request: the one it names by id, else the one its address names for sure.
 * All 4,499 localities count here, whether or not they have a page. Null when it has to be asked.
 */
export async function resolvePlace(
  db: Db,
  request: { suburbId?: string | null | undefined; address: string },
): Promise<Place | null> {
  if (request.suburbId) {
    const [place] = await db.select(placeColumns).from(suburbs).where(eq(suburbs.id, request.suburbId));
    if (place) return place;
  }
  return (await readAddress(db, request.address)).place;
}

/** The suburb an address names, or those it may mean. */
async function readAddress(db: Db, address: string): Promise<FoundPlace> {
  const { postcodes, names } = placeHints(address);
  if (postcodes.length + names.length === 0) return { place: null, meant: [] };
  // Two statements, each on its own index: with an OR, SQLite would read all the suburbs.
  const [byPostcode, byName] = await db.batch([
    db.select(placeColumns).from(suburbs).where(inArray(suburbs.postcode, postcodes)),
    db
      .select(placeColumns)
      .from(suburbs)
      .where(inArray(sql`${suburbs.name} COLLATE NOCASE`, names)),
  ]);
  const candidates = [...new Map([...byPostcode, ...byName].map((place) => [place.id, place])).values()];
  return findPlace(address, candidates);
}

const SUGGESTED = 6;

const suggestionColumns = {
  name: suburbs.name,
  state: suburbs.state,
  postcode: suburbs.postcode,
  council: suburbs.council,
};

/** The most populous localities that begin with these letters: a range of the index on names. */
export function beginningWith(db: Db, letters: string, limit: number) {
  const name = sql`${suburbs.name} COLLATE NOCASE`;
  return db
    .select(suggestionColumns)
    .from(suburbs)
    .where(and(sql`${name} >= ${letters}`, sql`${name} < ${`${letters}\u{10FFFF}`}`))
    .orderBy(desc(suburbs.population))
    .limit(limit);
}

/** More localities than begin with any two letters. */
const ALL_ALIKE = 200;

/** Slips are forgiven from the third letter on: no more localities are looked at than begin with the first two. */
async function spelledAlike(db: Db, endings: readonly string[]): Promise<SuburbSuggestion[]> {
  const names = endings.filter((ending) => {
    const words = ending.split(" ");
    return !STREET_KINDS.has(words[0]!) && !STREET_KINDS.has(words.at(-1)!);
  });
  const [first, ...rest] = names.map((name) =>
    beginningWith(db, spellOut(name.split(" ")).join(" ").slice(0, 2), ALL_ALIKE),
  );
  if (!first) return [];
  const found = await db.batch([first, ...rest]);
  return names.flatMap((typed, i) =>
    soundsLike(spellOut(typed.split(" ")).join(" "), found[i]!).map((suburb) => ({ ...suburb, typed })),
  );
}

function firstOnes(found: readonly SuburbSuggestion[]): SuburbSuggestion[] {
  const byText = new Map<string, SuburbSuggestion>();
  for (const suburb of found) {
    const text = `${suburb.name} ${suburb.postcode}`;
    if (!byText.has(text)) byText.set(text, suburb);
  }
  return [...byText.values()].slice(0, SUGGESTED);
}

/**
 * The six localities that are likeliest meant, with a page or without.
 * @param part the address's last words, as `suburbPart` of the contract makes them
 */
export async function suggestSuburbs(db: Db, part: string): Promise<SuburbSuggestion[]> {
  const hints = suburbHints(part);
  if ("postcode" in hints) {
    return db
      .select(suggestionColumns)
      .from(suburbs)
      .where(eq(suburbs.postcode, hints.postcode))
      .orderBy(desc(suburbs.population))
      .limit(SUGGESTED);
  }
  const endings = hints.beginnings;
  const [first, ...rest] = endings.map((letters) => beginningWith(db, letters, SUGGESTED));
  if (!first) return [];
  const exact = await db.batch([first, ...rest]);
  // The longest comes first: "north syd" means North Sydney before any Sydney, "surrey hills" Surry Hills
  // before what begins with "hills".
  const known = exact.findIndex((found) => found.length > 0);
  const alike = await spelledAlike(db, known < 0 ? endings : endings.slice(0, known));
  return firstOnes([...alike, ...exact.flat()]);
}

/** Which suburb an address is in, as `resolvePlace` has it; without one, those it may mean. */
export async function placeOfAddress(db: Db, address: string): Promise<AddressPlace> {
  const { place, meant } = await readAddress(db, address);
  if (place) return { suburb: toSuggestion(place), suggestions: [] };
  const suggestions = meant.slice(0, SUGGESTED).map((suburb) => toSuggestion(suburb));
  return {
    suburb: null,
    suggestions: suggestions.length > 0 ? suggestions : await suggestSuburbs(db, suburbPart(address)),
  };
}

function toSuggestion({
  name,
  state,
  postcode,
  council,
  typed,
}: Place & { typed?: string }): SuburbSuggestion {
  return { name, state, postcode, council, ...(typed && { typed }) };
}

/** The regions of the places a provider's own words name; of places with one name, the most populous. */
export async function listRegionsOf(db: Db, areas: string): Promise<Region[]> {
  const { postcodes, names } = areaHints(areas);
  if (postcodes.length + names.length === 0) return [];
  const columns = { name: suburbs.name, postcode: suburbs.postcode, region: suburbs.region };
  const [byPostcode, byName] = await db.batch([
    db
      .select(columns)
      .from(suburbs)
      .where(inArray(suburbs.postcode, postcodes))
      .orderBy(desc(suburbs.population)),
    db
      .select(columns)
      .from(suburbs)
      .where(inArray(sql`${suburbs.name} COLLATE NOCASE`, names))
      .orderBy(desc(suburbs.population)),
  ]);
  const first = new Map<string, Region>();
  for (const { postcode, region } of byPostcode) if (!first.has(postcode)) first.set(postcode, region);
  for (const { name, region } of byName) if (!first.has(name)) first.set(name, region);
  return [...new Set(first.values())];
}

/**
 * Suburbs for admins, the most populous first, whether they have a page or not.
 * @param filter `q` is the beginning of a name or a postcode; `after` holds population and id
 */
export function listSuburbsForAdmins(
  db: Db,
  filter: {
    q: string;
    isActive: boolean | null;
    after: { createdAt: number; id: string } | null;
    limit: number;
  },
): Promise<AdminSuburb[]> {
  const { q, isActive, after, limit } = filter;
  const isPostcode = /^\d{4}$/.test(q);
  return db
    .select(detailColumns)
    .from(suburbs)
    .where(
      and(
        isPostcode ? eq(suburbs.postcode, q) : undefined,
        // A range of the index on names: up to, but without, what follows every name that begins so.
        q && !isPostcode
          ? sql`${suburbs.name} COLLATE NOCASE >= ${q} AND ${suburbs.name} COLLATE NOCASE < ${`${q}\u{10FFFF}`}`
          : undefined,
        isActive === null ? undefined : eq(suburbs.isActive, isActive),
        olderThan(suburbs.population, suburbs.id, after),
      ),
    )
    .orderBy(desc(suburbs.population), desc(suburbs.id))
    .limit(limit);
}

/** One suburb as admins see it; null when there is none by this id. */
export async function findSuburbForAdmins(db: Db, id: string): Promise<AdminSuburb | null> {
  const [row] = await db.select(detailColumns).from(suburbs).where(eq(suburbs.id, id));
  return row ?? null;
}
