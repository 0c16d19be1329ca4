import { and, desc, eq, gte, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";

import namesakes from "../../../data/interstate-places.json" with { type: "json" };
import { splitSuburbQuery, extractSuburbQuery } from "../../../contract/address.ts";
import { bearing, distanceKm } from "../../../contract/distance.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { placeKey, startKey } from "../../../contract/place-names.ts";
import { FACTS_NEEDED } from "../../../contract/suburb-facts.ts";
import type {
  AddressPlace,
  AdminSuburb,
  SuburbAnswer,
  SuburbCard,
  SuburbListItem,
  SuburbSuggestion,
} from "../../../contract/suburbs.ts";
import type { Region } from "../../../contract/regions.ts";
import { COUNTED_RESULTS } from "../../../contract/standing.ts";
import { callResult, firstContactAt, hasCountedClock } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { endOfPrefix, olderThan } from "../../platform/db/sql.ts";
import { leads } from "../../platform/db/leads.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { suburbs } from "../../platform/db/suburbs.ts";
import { RECORD_DAYS, recordsOf, regionCallOf, soundsLike } from "./record-rules.ts";
import {
  areaHints,
  findPlace,
  type FoundPlace,
  isTiny,
  joinAddress,
  otherNames,
  type SuburbPlace,
  placeHints,
  STREET_KINDS,
  type TypedPlace,
} from "./rules.ts";

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

/** SQL: counts a suburb's facts. The operator's texts count as one fact, and the contact details as another. */
const hasText = (column: SQLiteColumn) => sql`(coalesce(${column}, '') <> '')`;
const facts = sql`(${suburbs.referenceFacts} + ${hasText(suburbs.description)} + (${or(
  ...[suburbs.phone, suburbs.email, suburbs.address, suburbs.openingHours].map(hasText),
)}))`;

/** SQL: the suburb has enough facts for an indexable page. There is no manual switch. */
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

/** Lists active suburbs, most populous first. */
export function listActiveSuburbs(db: Db, limit: number): Promise<SuburbListItem[]> {
  return db
    .select(listColumns)
    .from(suburbs)
    .where(eq(suburbs.isActive, true))
    .orderBy(desc(suburbs.population))
    .limit(limit);
}

/** Lists all suburbs with an indexable page, most populous first. */
export function listListed(db: Db): Promise<{ slug: string; council: string }[]> {
  return db
    .select({ slug: suburbs.slug, council: suburbs.council })
    .from(suburbs)
    .where(sql`${facts} >= ${FACTS_NEEDED}`)
    .orderBy(desc(suburbs.population));
}

/** Lists all localities of a council, active or not: active ones first, then by population. */
export function listCouncil(db: Db, council: string, limit: number): Promise<SuburbListItem[]> {
  return db
    .select(listColumns)
    .from(suburbs)
    .where(eq(suburbs.council, council))
    .orderBy(desc(suburbs.isActive), desc(suburbs.population))
    .limit(limit);
}

/** Returns what the share picture of an indexable suburb shows; null for any other. Reads one row. */
export async function findSuburbCard(db: Db, slug: string): Promise<SuburbCard | null> {
  const { name, postcode, priceFrom } = listColumns;
  const { region, population } = suburbs;
  const [card] = await db
    .select({ slug: suburbs.slug, name, postcode, priceFrom, region, population })
    .from(suburbs)
    .where(and(eq(suburbs.slug, slug), sql`${facts} >= ${FACTS_NEEDED}`));
  return card ?? null;
}

/** Maximum requests read for a suburb's page. */
const MAX_REQUESTS = 200;

/** Maximum leads of a region read for a suburb's page: the newest. About a fifth of them are sold. */
const MAX_REGION_LEADS = 300;

/** Selects the sales of a suburb's region whose call clock counts, from the region's newest leads. */
function regionSales(db: Db, slug: string, now: number) {
  const newest = db
    .select({ id: leads.id, region: leads.region })
    .from(leads)
    .where(
      and(
        // Must match the index leads_by_region. Compared with a plain column, SQLite does not use it.
        sql`(${leads.region} || '') = (SELECT region || '' FROM suburbs WHERE slug = ${slug})`,
        gte(leads.createdAt, now - RECORD_DAYS * DAY_MS),
      ),
    )
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(MAX_REGION_LEADS)
    .as("newest");
  return db
    .select({
      region: newest.region,
      purchasedAt: leadPurchases.purchasedAt,
      // A call that came too late, or after the customer contradicted an earlier one, is still a call.
      calledAt: firstContactAt,
    })
    .from(newest)
    .innerJoin(leadPurchases, eq(leadPurchases.leadId, newest.id))
    .where(and(hasCountedClock, inArray(callResult(now), [...COUNTED_RESULTS])));
}

/** Selects a suburb's requests for its statistics, excluding quarantined and manual leads. */
function ownRequests(db: Db, slug: string, now: number) {
  return db
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
        sql`${leads.suburbId} = (SELECT id FROM suburbs WHERE slug = ${slug})`,
        // Must match the index leads_suburb.
        sql`${leads.source} <> 'manual'`,
        // The same request once more.
        isNull(leads.rescuedFromId),
        gte(leads.createdAt, now - RECORD_DAYS * DAY_MS),
        sql`${leads.listingState} <> 'quarantined'`,
      ),
    )
    .orderBy(desc(leads.createdAt))
    .limit(MAX_REQUESTS);
}

/** Returns a locality with the places around it, nearest first, and its statistics. Null for an unknown slug. */
async function findBySlug(db: Db, slug: string, now: number): Promise<SuburbAnswer | null> {
  const there = alias(suburbs, "there");
  const withPlaces = db
    .select({
      suburb: detailColumns,
      place: {
        slug: there.slug,
        name: there.name,
        postcode: there.postcode,
        council: there.council,
        population: there.population,
        latitude: there.latitude,
        longitude: there.longitude,
      },
    })
    .from(suburbs)
    // The suburb's row holds its neighbours' slugs, so the query reads only the neighbours' rows.
    .leftJoin(there, sql`${there.slug} IN (SELECT value FROM json_each(${suburbs.near}))`)
    .where(eq(suburbs.slug, slug));
  // Not in the batch: D1 drops a batch's columns of the same name.
  const [rows, [requests, sales]] = await Promise.all([
    withPlaces,
    db.batch([ownRequests(db, slug, now), regionSales(db, slug, now)]),
  ]);
  const suburb = rows[0]?.suburb;
  if (!suburb) return null;
  const nearby = rows.flatMap(({ place }) => {
    if (!place) return [];
    const { latitude, longitude, ...named } = place;
    const point = { latitude, longitude };
    return [{ ...named, distanceKm: distanceKm(suburb, point), bearing: bearing(suburb, point) }];
  });
  return {
    ...suburb,
    nearby: nearby.toSorted((a, b) => a.distanceKm - b.distanceKm),
    records: { ...recordsOf(requests, MAX_REQUESTS, now), regionCall: regionCallOf(sales) },
  };
}

/**
 * Finds any locality by slug or by name. If several share a name, prefers an active one, then the most populous.
 * Returns null if there is none.
 */
export async function findSuburb(db: Db, nameOrSlug: string, now: number): Promise<SuburbAnswer | null> {
  const wanted = nameOrSlug.trim();
  // Almost all requests use a slug.
  const bySlug = await findBySlug(db, wanted.toLowerCase(), now);
  if (bySlug) return bySlug;
  const [byName] = await db
    .select({ slug: suburbs.slug })
    .from(suburbs)
    .where(eq(suburbs.nameKey, placeKey(wanted)))
    // The unary plus makes SQLite use the name index. Few suburbs share a name.
    .orderBy(sql`+${suburbs.isActive} DESC`, desc(suburbs.population))
    .limit(1);
  return byName ? findBySlug(db, byName.slug, now) : null;
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
 * Reads a request's address: its suburb is the one with the given id, or else the one that the address clearly
 * contains. Considers all localities, with or without a page.
 */
export async function readPlace(
  db: Db,
  request: TypedPlace & { suburbId?: string | null | undefined },
): Promise<FoundPlace> {
  const { suburbId } = request;
  if (suburbId) {
    const [place] = await db.select(placeColumns).from(suburbs).where(eq(suburbs.id, suburbId));
    if (place) return { place, meant: [], unlisted: null, address: joinAddress(request), note: null };
  }
  return readAddress(db, request);
}

/** Returns a request's suburb like `readPlace`; null if the visitor has to choose. */
export async function resolvePlace(
  db: Db,
  request: Parameters<typeof readPlace>[1],
): Promise<SuburbPlace | null> {
  return (await readPlace(db, request)).place;
}

/** Returns the suggested suburbs, alternative names first. */
function rankSuggestions(
  others: ReturnType<typeof otherNames>,
  candidates: readonly SuburbPlace[],
  meant: FoundPlace["meant"],
): FoundPlace["meant"] {
  const first = others.flatMap(({ name, typed }) =>
    candidates.filter((place) => placeKey(place.name) === name).map((place) => ({ ...place, typed })),
  );
  return [...first, ...meant.filter(({ id }) => first.every((place) => place.id !== id))];
}

/**
 * Returns the suburb that an address names, or the candidates. A name that we do not know counts only if the visitor
 * typed it in a field of its own.
 */
async function readAddress(db: Db, typed: TypedPlace): Promise<FoundPlace> {
  const address = joinAddress(typed);
  const { postcodes, names } = placeHints(address);
  if (postcodes.length + names.length === 0) return findPlace(address, []);
  const others = otherNames(address);
  const wanted = [...names, ...others.map(({ name }) => name)];
  // Two statements, each on its own index: with an OR, SQLite would scan all suburbs.
  const [byPostcode, byName] = await db.batch([
    db.select(placeColumns).from(suburbs).where(inArray(suburbs.postcode, postcodes)),
    db.select(placeColumns).from(suburbs).where(inArray(suburbs.nameKey, wanted)),
  ]);
  const candidates = [...new Map([...byPostcode, ...byName].map((place) => [place.id, place])).values()];
  const found = findPlace(address, candidates, namesakes);
  if (!found.place) found.meant = rankSuggestions(others, candidates, found.meant);
  const { suburb, postcode } = typed;
  if (!suburb || !postcode) return { ...found, unlisted: null };
  // The visitor rejected all suggestions, so a known name in the address belongs to a street or a rejected suggestion.
  const apart = findPlace(joinAddress({ address: "", suburb, postcode }), candidates);
  return { ...found, unlisted: found.place ? null : (found.unlisted ?? apart.unlisted) };
}

const SUGGESTED = 6;

const suggestionColumns = {
  name: suburbs.name,
  state: suburbs.state,
  postcode: suburbs.postcode,
  council: suburbs.council,
};

/** SQL: the name starts with these letters, in any spelling. Uses a range of the name index. */
export function startsWith(letters: string): SQL {
  const key = startKey(letters);
  return key ? sql`${suburbs.nameKey} >= ${key} AND ${suburbs.nameKey} < ${endOfPrefix(key)}` : sql`FALSE`;
}

/** Returns the most populous localities that begin with these letters, using a range of the name index. */
function beginningWith(db: Db, letters: string, limit: number) {
  return db
    .select(suggestionColumns)
    .from(suburbs)
    .where(startsWith(letters))
    .orderBy(desc(suburbs.population))
    .limit(limit);
}

/** Maximum localities that share their first two letters. No pair of letters has this many. */
const ALL_ALIKE = 200;

/**
 * Finds names despite typos after the second letter. It reads only localities with the same first two letters.
 */
async function spelledAlike(db: Db, endings: readonly string[]): Promise<SuburbSuggestion[]> {
  const names = endings.filter((ending) => {
    const words = ending.split(" ");
    return !STREET_KINDS.has(words[0]!) && !STREET_KINDS.has(words.at(-1)!);
  });
  const [first, ...rest] = names.map((name) => beginningWith(db, placeKey(name).slice(0, 2), ALL_ALIKE));
  if (!first) return [];
  const found = await db.batch([first, ...rest]);
  return names.flatMap((typed, i) => soundsLike(typed, found[i]!).map((suburb) => ({ ...suburb, typed })));
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
 * Returns the six likeliest localities, with or without a page.
 * @param part the address's last words, from the contract's `extractSuburbQuery`
 */
export async function suggestSuburbs(db: Db, part: string): Promise<SuburbSuggestion[]> {
  const hints = splitSuburbQuery(part);
  if ("postcode" in hints) {
    return db
      .select(suggestionColumns)
      .from(suburbs)
      .where(eq(suburbs.postcode, hints.postcode))
      .orderBy(desc(suburbs.population))
      .limit(SUGGESTED);
  }
  const endings = hints.prefixes;
  const [first, ...rest] = endings.map((letters) => beginningWith(db, letters, SUGGESTED));
  if (!first) return [];
  const exact = await db.batch([first, ...rest]);
  // The longest match comes first. "north syd" means North Sydney before any Sydney. "surrey hills" means Surry Hills
  // before names that begin with "hills".
  const known = exact.findIndex((found) => found.length > 0);
  const alike = await spelledAlike(db, known < 0 ? endings : endings.slice(0, known));
  return firstOnes([...alike, ...exact.flat()]);
}

/** Returns the largest other place of a suburb's postcode, which more people know. */
async function findLargestNear(db: Db, { id, postcode }: SuburbPlace): Promise<string | undefined> {
  const [near] = await db
    .select({ name: suburbs.name })
    .from(suburbs)
    .where(and(eq(suburbs.postcode, postcode), ne(suburbs.id, id)))
    .orderBy(desc(suburbs.population))
    .limit(1);
  return near?.name;
}

/** Returns the suburb of an address, like `readPlace`, or the candidates. */
export async function placeOfAddress(db: Db, typed: TypedPlace): Promise<AddressPlace> {
  const { place, meant, unlisted } = await readAddress(db, typed);
  if (place) return { suburb: toSuggestion(place), suggestions: [], isUnlisted: false };
  const found = meant.slice(0, SUGGESTED).map((suburb) => toSuggestion(suburb));
  const [first] = meant;
  const elsewhere = first && isTiny(first) && (namesakes as Record<string, string>)[placeKey(first.name)];
  if (elsewhere) Object.assign(found[0]!, { elsewhere, near: await findLargestNear(db, first) });
  const suggestions =
    found.length > 0 ? found : await suggestSuburbs(db, extractSuburbQuery(joinAddress(typed)));
  return { suburb: null, suggestions, isUnlisted: unlisted !== null };
}

function toSuggestion({
  name,
  state,
  postcode,
  council,
  typed,
}: SuburbPlace & { typed?: string }): SuburbSuggestion {
  return { name, state, postcode, council, ...(typed && { typed }) };
}

/** Returns the regions of the places in a provider's own text. If places share a name, uses the most populous. */
export async function listRegionsOf(db: Db, areas: string): Promise<Region[]> {
  const { postcodes, names } = areaHints(areas);
  if (postcodes.length + names.length === 0) return [];
  const columns = { name: suburbs.nameKey, postcode: suburbs.postcode, region: suburbs.region };
  const [byPostcode, byName] = await db.batch([
    db
      .select(columns)
      .from(suburbs)
      .where(inArray(suburbs.postcode, postcodes))
      .orderBy(desc(suburbs.population)),
    db.select(columns).from(suburbs).where(inArray(suburbs.nameKey, names)).orderBy(desc(suburbs.population)),
  ]);
  const first = new Map<string, Region>();
  for (const { postcode, region } of byPostcode) if (!first.has(postcode)) first.set(postcode, region);
  for (const { name, region } of byName) if (!first.has(name)) first.set(name, region);
  return [...new Set(first.values())];
}

/**
 * Lists suburbs for admins, active or not, most populous first.
 * @param filter `q` is a postcode or the start of a name; `after` is the last row's population and id
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
        q && !isPostcode ? startsWith(q) : undefined,
        isActive === null ? undefined : eq(suburbs.isActive, isActive),
        olderThan(suburbs.population, suburbs.id, after),
      ),
    )
    .orderBy(desc(suburbs.population), desc(suburbs.id))
    .limit(limit);
}

/** Returns one suburb for admins; null for an unknown id. */
export async function findSuburbForAdmins(db: Db, id: string): Promise<AdminSuburb | null> {
  const [row] = await db.select(detailColumns).from(suburbs).where(eq(suburbs.id, id));
  return row ?? null;
}
