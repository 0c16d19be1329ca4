/** Reads photos for those who may see them. */
import {
  and,
  asc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";

import type { Photo, PhotoKind } from "../../../contract/photos.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { isProfileShown } from "../../identity/providers/queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { photos } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { badLeadReports, leadPurchases } from "../../platform/db/purchases.ts";
import { providerProfiles, users } from "../../platform/db/users.ts";
import type { RequestLink } from "../request-link-store.ts";

export type PhotoRow = typeof photos.$inferSelect;

/** Returns a photo as its owner sees it. */
export function toPhoto(row: PhotoRow): Photo {
  const { id, kind, width, height } = row;
  return {
    id,
    kind,
    width,
    height,
    isOffered: row.providerAgreedAt !== null,
    isAgreed: row.customerAgreedAt !== null,
  };
}

export async function findPhoto(db: Db, id: string): Promise<PhotoRow | null> {
  const [row] = await db.select().from(photos).where(eq(photos.id, id));
  return row ?? null;
}

/** SQL: photos that belong to no row. Matches the partial index. */
export const isUnowned = sql`lead_id IS NULL AND purchase_id IS NULL AND business_id IS NULL`;

/** SQL: photos of a request. They belong to its first lead. */
export const ofLead = (leadId: string) => sql`${photos.leadId} IS NOT NULL AND ${photos.leadId} = ${leadId}`;

/** SQL: photos of these purchases. */
export const ofPurchases = (ids: SQL) =>
  sql`${photos.purchaseId} IS NOT NULL AND ${photos.purchaseId} IN ${ids}`;

/** SQL: photos of the work on a lead. */
export const ofWorkOn = (leadId: string) =>
  ofPurchases(sql`(SELECT id FROM lead_purchases WHERE lead_id = ${leadId})`);

/** SQL: the first lead of a request. */
export const firstLeadId = (leadId: string | SQL) =>
  sql`coalesce((SELECT rescued_from_id FROM leads WHERE id = ${leadId}), ${leadId})`;

/** SQL: a photo arrived before its buyer's request was passed on. Later ones are for the next provider. */
const isBeforeRescue = (createdAt: SQLWrapper | number) =>
  sql`${createdAt} < coalesce(${leadPurchases.callClock} ->> 'rescuedAt', ${createdAt} + 1)`;

/** Returns the photos of a request and of one purchase of it, oldest first. */
export async function listPhotosOf(db: Db, purchase: { id: string; leadId: string }): Promise<Photo[]> {
  const own = db
    .select(getTableColumns(photos))
    .from(photos)
    .innerJoin(leadPurchases, eq(leadPurchases.id, purchase.id))
    .where(
      and(
        sql`${photos.leadId} IS NOT NULL AND ${photos.leadId} = ${firstLeadId(purchase.leadId)}`,
        isBeforeRescue(photos.createdAt),
      ),
    );
  const work = db
    .select()
    .from(photos)
    .where(ofPurchases(sql`(${purchase.id})`));
  const [requested, done] = await db.batch([own.orderBy(asc(photos.createdAt)), work]);
  return [...requested, ...done.toSorted((a, b) => a.createdAt - b.createdAt)].map(toPhoto);
}

/** Returns the photos of several requests, oldest first. @param leadIds their first leads */
export async function listPhotosOfLeads(db: Db, leadIds: readonly string[]): Promise<PhotoRow[]> {
  if (leadIds.length === 0) return [];
  const isTheirs = sql`${photos.leadId} IN (SELECT value FROM json_each(${JSON.stringify(leadIds)}))`;
  return db
    .select()
    .from(photos)
    .where(and(isNotNull(photos.leadId), isTheirs))
    .orderBy(asc(photos.createdAt));
}

/** SQL: the purchases of a request, also after it was passed on. */
const purchasesOf = ({ lead, first }: RequestLink) =>
  sql`(SELECT id FROM lead_purchases WHERE lead_id IN (${first.id}, ${lead.id}))`;

/** Returns the customer's own photos, and those that a provider wants to show, oldest first. */
export async function listPhotosForCustomer(db: Db, link: RequestLink): Promise<Photo[]> {
  const [own, work] = await db.batch([
    db.select().from(photos).where(ofLead(link.first.id)).orderBy(asc(photos.createdAt)),
    db
      .select()
      .from(photos)
      .where(and(ofPurchases(purchasesOf(link)), isNotNull(photos.providerAgreedAt)))
      .orderBy(asc(photos.createdAt)),
  ]);
  return [...own, ...work].map(toPhoto);
}

/** Returns whether a photo is of a customer's request, or of the work on it that the provider wants to show. */
export async function isOfRequest(db: Db, photo: PhotoRow, link: RequestLink): Promise<boolean> {
  if (photo.leadId !== null) return photo.leadId === link.first.id;
  if (photo.purchaseId === null || photo.providerAgreedAt === null) return false;
  const isTheirs = inArray(leadPurchases.leadId, [link.first.id, link.lead.id]);
  return (await db.$count(leadPurchases, and(eq(leadPurchases.id, photo.purchaseId), isTheirs))) > 0;
}

/** Returns whether a business has bought the request of a photo, and it arrived before the request was passed on. */
export async function hasBoughtRequest(
  db: Db,
  { leadId, createdAt }: PhotoRow & { leadId: string },
  { businessId }: BusinessScope,
): Promise<boolean> {
  const bought = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        or(
          eq(leads.id, leadId),
          // Repeats the condition of the partial index, or SQLite does not use it.
          and(sql`${leads.rescuedFromId} IS NOT NULL`, eq(leads.rescuedFromId, leadId)),
        ),
        eq(leadPurchases.buyerId, businessId),
        isNull(leadPurchases.removedAt),
        isBeforeRescue(createdAt),
      ),
    )
    .limit(1);
  return (await bought).length > 0;
}

/** SQL: the customer and the business both agree to show a photo of the work. */
export const isAgreed = (table: Record<"customerAgreedAt" | "providerAgreedAt", SQLWrapper>) =>
  and(isNotNull(table.customerAgreedAt), isNotNull(table.providerAgreedAt))!;

/** Returns the query that finds a photo of the work on a lead that both sides agreed to show. */
export const findShownWork = (db: Db, leadId: string) =>
  db
    .select({ id: photos.id })
    .from(photos)
    .where(and(ofWorkOn(leadId), isAgreed(photos)))
    .limit(1);

/** SQL: everyone may see it on its business's profile. Work on a customer's garden needs both consents. */
const isShown = or(
  inArray(photos.kind, ["work", "logo"]),
  and(inArray(photos.kind, ["before", "after"]), isAgreed(photos)),
);

/** Returns whether everyone may see a photo. */
export async function isPublicPhoto(db: Db, { id, businessId }: PhotoRow): Promise<boolean> {
  if (businessId === null) return false;
  const rows = await db
    .select({ id: photos.id })
    .from(photos)
    .innerJoin(providerProfiles, eq(providerProfiles.businessId, photos.businessId))
    .innerJoin(users, eq(users.id, photos.businessId))
    .where(and(eq(photos.id, id), isShown, isProfileShown));
  return rows.length > 0;
}

/** Returns the photos that a business's profile shows, newest first, with the purchase of work before and after. */
export async function listProfilePhotos(
  db: Db,
  businessId: string,
  limit: number,
): Promise<(Photo & { purchaseId: string | null })[]> {
  const rows = await db
    .select()
    .from(photos)
    .where(and(sql`${photos.businessId} IS NOT NULL AND ${photos.businessId} = ${businessId}`, isShown))
    .orderBy(sql`${photos.createdAt} DESC`)
    .limit(limit);
  return rows.map((row) => ({ ...toPhoto(row), purchaseId: row.purchaseId }));
}

/** Returns a business's own photos of a kind, oldest first. */
export async function listOwnPhotos(db: Db, { businessId }: BusinessScope, kind: PhotoKind) {
  const rows = await db
    .select()
    .from(photos)
    .where(
      and(
        sql`${photos.businessId} IS NOT NULL AND ${photos.businessId} = ${businessId}`,
        eq(photos.kind, kind),
      ),
    )
    .orderBy(asc(photos.createdAt));
  return rows.map(toPhoto);
}

/** Returns photos that belong to no row, oldest first. */
export async function listUnownedPhotos(db: Db, before: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: photos.id })
    .from(photos)
    .where(and(isUnowned, lt(photos.createdAt, before)))
    .orderBy(asc(photos.createdAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Returns whether a purchase is a business's own. */
export async function ownsPurchase(db: Db, { businessId }: BusinessScope, id: string): Promise<boolean> {
  const own = and(
    eq(leadPurchases.id, id),
    eq(leadPurchases.buyerId, businessId),
    isNull(leadPurchases.removedAt),
  );
  return (await db.$count(leadPurchases, own)) > 0;
}

/** Returns whether a purchase was reported as a bad lead. */
export async function isReported(db: Db, purchaseId: string): Promise<boolean> {
  return (await db.$count(badLeadReports, eq(badLeadReports.purchaseId, purchaseId))) > 0;
}
