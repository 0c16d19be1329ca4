/** Reads businesses' public pages. */

import { and, asc, count, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { ADDRESS_PLACEHOLDER } from "../../../contract/auth.ts";
import { SERVICE_IDS, type ServiceId } from "../../../contract/catalogue.ts";
import { distanceKm } from "../../../contract/distance.ts";
import { MAX_PHOTOS, type Photo, type PhotoKind } from "../../../contract/photos.ts";
import {
  type ListedProfile,
  type LocalProvider,
  MAX_LOCAL_PROVIDERS,
  MAX_SERVICE_JOBS,
  type OwnProfile,
  PROFILE_MIN_CALLS,
  type ProfilePhoto,
  type ProfileState,
  type ProviderProfile,
  type ShownJob,
} from "../../../contract/profiles.ts";
import { listShownChecks, readShownChecks } from "../../identity/checks/queries.ts";
import { isEstablished, isProfileShown, listCouncils } from "../../identity/providers/queries.ts";
import { isAgreed, listProfilePhotos } from "../../leads/photos/queries.ts";
import { publicName } from "../../leads/public-name.ts";
import { resolvePlace } from "../../leads/suburbs/queries.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { photos } from "../../leads/tables.ts";
import { reviews } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { suburbs } from "../../platform/db/suburbs.ts";
import { profileCouncils, providerProfiles, users } from "../../platform/db/users.ts";
import { readPublicReviews } from "../reviews/queries.ts";
import { readCallShares, readPublicStanding } from "../standing/queries.ts";
import { compareLocal, validateDescription } from "./rules.ts";

type ProfileRow = typeof providerProfiles.$inferSelect;

/** SQL: values of a JSON list. D1 binds at most 100 values. */
const listOf = (values: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Returns the mean and number of businesses' shown reviews. Businesses without any are missing. */
async function rateBusinesses(db: Db, businessIds: readonly string[]) {
  const rows = await db
    .select({ businessId: reviews.businessId, mean: sql<number>`avg(${reviews.stars})`, shown: count() })
    .from(reviews)
    .where(
      and(
        sql`${reviews.businessId} IN ${listOf(businessIds)}`,
        isNotNull(reviews.writtenAt),
        isNull(reviews.hiddenRule),
      ),
    )
    .groupBy(reviews.businessId);
  return new Map(rows.map(({ businessId, ...rating }) => [businessId, rating]));
}

/** Returns the logos of businesses. */
async function findLogos(db: Db, businessIds: readonly string[]): Promise<Map<string, ProfilePhoto>> {
  const rows = await db
    .select({
      businessId: photos.businessId,
      photo: { id: photos.id, width: photos.width, height: photos.height },
    })
    .from(photos)
    .where(
      and(
        // Repeats the condition of the partial index, or SQLite does not use it.
        isNotNull(photos.businessId),
        sql`${photos.businessId} IN ${listOf(businessIds)}`,
        eq(photos.kind, "logo"),
      ),
    );
  return new Map(rows.map(({ businessId, photo }) => [businessId!, photo]));
}

/** Maximum photos on a page: the newest. */
const PHOTOS_SHOWN = 40;

/** Returns the photos of a kind as the page shows them. */
const ofKind = (photosOfPage: readonly Photo[], wanted: PhotoKind): ProfilePhoto[] =>
  photosOfPage.filter(({ kind }) => kind === wanted).map(({ id, width, height }) => ({ id, width, height }));

/** Returns the photos on a business's page. Those of one job are together, in the order of their upload. */
async function readPhotos(
  db: Db,
  businessId: string,
): Promise<Pick<ProviderProfile, "logo" | "work" | "jobs">> {
  const [newest, logos] = await Promise.all([
    listProfilePhotos(db, businessId, PHOTOS_SHOWN),
    findLogos(db, [businessId]),
  ]);
  const all = newest.toReversed();
  const jobs = Map.groupBy(
    all.filter(({ purchaseId }) => purchaseId !== null),
    ({ purchaseId }) => purchaseId,
  );
  return {
    logo: logos.get(businessId) ?? null,
    work: ofKind(all, "work"),
    jobs: [...jobs.values()].toReversed().map((job) => ({
      before: ofKind(job, "before"),
      after: ofKind(job, "after"),
    })),
  };
}

type Owner = Pick<UserRow, "id" | "companyName" | "firstName" | "lastName" | "services">;

/**
 * Returns a business's page.
 * @param stored what the business wrote
 * @param page of the reviews, from 1
 */
async function toProfile(
  db: Db,
  owner: Owner,
  stored: Pick<ProfileRow, "slug" | "words"> & Pick<ProviderProfile, "suburb">,
  page: number,
  now: number,
): Promise<ProviderProfile> {
  const { id } = owner;
  const [councils, shownPhotos, checks, standing, publicReviews] = await Promise.all([
    listCouncils(db, id),
    readPhotos(db, id),
    listShownChecks(db, id, now),
    readPublicStanding(db, id, now),
    readPublicReviews(db, id, page),
  ]);
  const calls = standing.in_time + standing.late;
  const hasLicence = checks.some(({ kind }) => kind === "licence");
  return {
    slug: stored.slug,
    name: publicName(owner),
    // The licence may have ended since the business wrote them.
    words: validateDescription(stored.words, hasLicence) === null ? stored.words : "",
    // A business without chosen services gets leads of all.
    services: owner.services.length > 0 ? owner.services : [...SERVICE_IDS],
    councils,
    suburb: stored.suburb,
    ...shownPhotos,
    checks,
    call:
      standing.medianMs !== null && calls >= PROFILE_MIN_CALLS
        ? { medianMs: standing.medianMs, count: calls }
        : null,
    reviews: publicReviews,
  };
}

const ownerColumns = {
  id: users.id,
  companyName: users.companyName,
  firstName: users.firstName,
  lastName: users.lastName,
  services: users.services,
};
const suburbColumns = { name: suburbs.name, postcode: suburbs.postcode };

/** Returns a page that everyone may see; null if there is none with this slug. @param page of the reviews, from 1 */
export async function findProfile(db: Db, slug: string, page: number, now: number) {
  const [row] = await db
    .select({ profile: providerProfiles, owner: ownerColumns, suburb: suburbColumns })
    .from(providerProfiles)
    .innerJoin(users, eq(users.id, providerProfiles.businessId))
    .leftJoin(suburbs, eq(suburbs.id, providerProfiles.suburbId))
    .where(and(eq(providerProfiles.slug, slug), isProfileShown));
  return row ? toProfile(db, row.owner, { ...row.profile, suburb: row.suburb }, page, now) : null;
}

/** Returns the stored page of a business; null before it first saves one. */
async function findStoredProfile(db: Db, businessId: string) {
  const [row] = await db
    .select({ profile: providerProfiles, suburb: suburbColumns })
    .from(providerProfiles)
    .leftJoin(suburbs, eq(suburbs.id, providerProfiles.suburbId))
    .where(eq(providerProfiles.businessId, businessId));
  return row ?? null;
}

async function isBusinessEstablished(db: Db, businessId: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, businessId), isEstablished))) > 0;
}

/** Returns a business's page for its editor, with suggestions from the account before the first save. */
export async function readOwnProfile(db: Db, owner: UserRow, now: number): Promise<OwnProfile> {
  const stored = await findStoredProfile(db, owner.id);
  const address = owner.businessAddress === ADDRESS_PLACEHOLDER ? null : owner.businessAddress;
  const suburb = stored ? stored.suburb : address === null ? null : await resolvePlace(db, { address });
  const { words = "", slug = "" } = stored?.profile ?? {};
  const place = suburb && { name: suburb.name, postcode: suburb.postcode };
  const page = await toProfile(db, owner, { slug, words, suburb: place }, 1, now);
  return {
    form: {
      words,
      basedIn: place ? `${place.name} ${place.postcode}` : "",
      councils: page.councils,
      isPublic: stored?.profile.isPublic ?? false,
    },
    isSaved: stored !== null,
    isEstablished: await isBusinessEstablished(db, owner.id),
    hiddenReason: stored?.profile.hiddenReason ?? null,
    page,
  };
}

/** Returns the state of a business's page for super admins; null if it has none. */
export async function readProfileState(db: Db, businessId: string): Promise<ProfileState | null> {
  const stored = await findStoredProfile(db, businessId);
  if (!stored) return null;
  const { slug, isPublic, hiddenReason } = stored.profile;
  return { slug, isPublic, isEstablished: await isBusinessEstablished(db, businessId), hiddenReason };
}

/** SQL: when the newest shown review of a page's business was written. Raw, so that its columns have table names. */
const newestReviewAt = sql<number | null>`(SELECT written_at FROM reviews
  WHERE reviews.business_id = provider_profiles.business_id AND written_at IS NOT NULL AND hidden_rule IS NULL
  ORDER BY written_at DESC LIMIT 1)`;

/** Lists all pages that everyone may see, for the sitemap. */
export async function listProfiles(db: Db): Promise<ListedProfile[]> {
  return db
    .select({
      slug: providerProfiles.slug,
      changedAt: sql<number>`max(${providerProfiles.updatedAt}, coalesce(${newestReviewAt}, 0))`,
    })
    .from(providerProfiles)
    .innerJoin(users, eq(users.id, providerProfiles.businessId))
    .where(isProfileShown)
    .orderBy(asc(providerProfiles.slug));
}

/** Maximum businesses of a council that are compared: the nearest. */
const MAX_COMPARED = 30;

/** Returns the businesses for a suburb's page. `rules.ts` explains their order. */
export async function listLocalProviders(db: Db, suburbSlug: string, now: number): Promise<LocalProvider[]> {
  const base = alias(suburbs, "base");
  // Approximate squared distance. 0.7 corrects for the shorter degree of longitude at this latitude.
  const nearness = sql`coalesce((${base.latitude} - ${suburbs.latitude}) * (${base.latitude} - ${suburbs.latitude})
    + 0.7 * (${base.longitude} - ${suburbs.longitude}) * (${base.longitude} - ${suburbs.longitude}), 1e9)`;
  const rows = await db
    .select({
      owner: ownerColumns,
      slug: providerProfiles.slug,
      here: { latitude: suburbs.latitude, longitude: suburbs.longitude },
      base: { name: base.name, latitude: base.latitude, longitude: base.longitude },
    })
    .from(suburbs)
    .innerJoin(profileCouncils, eq(profileCouncils.council, suburbs.council))
    .innerJoin(providerProfiles, eq(providerProfiles.businessId, profileCouncils.businessId))
    .innerJoin(users, eq(users.id, providerProfiles.businessId))
    .leftJoin(base, eq(base.id, providerProfiles.suburbId))
    .where(and(eq(suburbs.slug, suburbSlug), isProfileShown))
    .orderBy(nearness, asc(providerProfiles.slug))
    .limit(MAX_COMPARED);
  if (rows.length === 0) return [];
  const ids = rows.map(({ owner }) => owner.id);
  const shares = await readCallShares(db, ids, now);
  const first = rows
    .map(({ owner, slug, here, base }) => ({
      owner,
      slug,
      suburb: base?.name ?? null,
      distanceKm: base && distanceKm(here, base),
      calls: shares.get(owner.id) ?? null,
    }))
    .toSorted(compareLocal)
    .slice(0, MAX_LOCAL_PROVIDERS);
  const firstIds = first.map(({ owner }) => owner.id);
  const [ratings, logos, checks] = await Promise.all([
    rateBusinesses(db, firstIds),
    findLogos(db, firstIds),
    readShownChecks(db, firstIds, now),
  ]);
  return first.map(({ owner, ...row }) => ({
    ...row,
    name: publicName(owner),
    logo: logos.get(owner.id) ?? null,
    checks: checks.get(owner.id)!.map(({ kind }) => kind),
    rating: ratings.get(owner.id) ?? null,
  }));
}

// Reads the jobs that a service's page shows.

/** Maximum photos that are read, of all services: the newest. */
const MAX_READ = 75;

/** Rows of one job: each photo after the work, with each from before. */
const MAX_ROWS_OF_JOB = MAX_PHOTOS.before * MAX_PHOTOS.after;

/**
 * Returns the newest jobs of a service that have a public photo from before and one from after, of businesses with a
 * public page. A request for several services does not tell which one a photo shows.
 */
export async function listServiceJobs(db: Db, service: ServiceId): Promise<ShownJob[]> {
  const after = db
    .select()
    .from(photos)
    // The kind is in the text, not bound, or SQLite does not use the partial index photos_shown.
    .where(and(sql`${photos.kind} = 'after'`, isAgreed(photos)))
    .orderBy(desc(photos.createdAt))
    .limit(MAX_READ)
    .as("after");
  const before = alias(photos, "before");
  const rows = await db
    .select({
      purchaseId: leadPurchases.id,
      slug: providerProfiles.slug,
      owner: { companyName: users.companyName, firstName: users.firstName, lastName: users.lastName },
      suburb: suburbs.name,
      before: { id: before.id, width: before.width, height: before.height },
      after: { id: after.id, width: after.width, height: after.height },
    })
    .from(after)
    // A cross join, or SQLite reads all photos of purchases first.
    .crossJoin(before)
    .innerJoin(leadPurchases, eq(leadPurchases.id, after.purchaseId))
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .innerJoin(providerProfiles, eq(providerProfiles.businessId, after.businessId))
    .innerJoin(users, eq(users.id, after.businessId))
    .leftJoin(suburbs, eq(suburbs.id, leads.suburbId))
    .where(
      and(
        // Repeats the condition of the partial index, or SQLite does not use it.
        isNotNull(before.purchaseId),
        eq(before.purchaseId, after.purchaseId),
        eq(before.kind, "before"),
        isAgreed(before),
        sql`${leads.serviceType} = json_array(${service})`,
        isProfileShown,
      ),
    )
    .orderBy(desc(after.createdAt), asc(before.createdAt))
    .limit(MAX_SERVICE_JOBS * MAX_ROWS_OF_JOB);
  const jobs = new Map<string, ShownJob>();
  for (const { purchaseId, owner, ...job } of rows)
    if (!jobs.has(purchaseId)) jobs.set(purchaseId, { ...job, name: publicName(owner) });
  return [...jobs.values()].slice(0, MAX_SERVICE_JOBS);
}
