/** Stores and deletes photos. A row decides who may see a photo, so D1 changes first and the bucket follows. */
import { and, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import {
  MAX_PHOTOS,
  type Photo,
  PHOTO_SIZES,
  type PhotoKind,
  type PhotoSize,
} from "../../../contract/photos.ts";
import { type Act, auditEntry, SYSTEM_ACTOR } from "../../identity/audit/store.ts";
import { hashToken } from "../../identity/auth/rules.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, ignoreIfChanged } from "../../platform/db/guarded-batch.ts";
import { photos } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { DomainError, TryLater } from "../../platform/errors.ts";
import { deleteFiles, type FileKey, putFile } from "../../platform/files.ts";
import { newId } from "../../platform/ids.ts";
import { encodePhoto } from "./images.ts";
import {
  findPhoto,
  isUnowned,
  listUnownedPhotos,
  ofLead,
  ofPurchases,
  ofWorkOn,
  type PhotoRow,
  toPhoto,
} from "./queries.ts";

export const photoKey = (id: string, size: PhotoSize): FileKey => `photos/${id}/${size}.webp`;

/** The row that a photo belongs to: a visitor's upload, a request, a purchase or a business. */
export type PhotoOwner =
  | { kind: "request"; uploadToken: string }
  | { kind: "request"; leadId: string }
  | { kind: "before" | "after" | "report"; purchaseId: string; businessId: string }
  | { kind: "work" | "logo"; businessId: string };

const isActive = (businessId: string) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${businessId} AND is_active = 1)`;

/**
 * Returns the columns of a photo with this owner, the condition of all photos with it, and whether the owner still
 * exists: the owner may be erased during a slow upload.
 */
function ownerOf(owner: PhotoOwner): { columns: Record<string, string | SQL>; siblings: SQL; isLive: SQL } {
  if ("uploadToken" in owner) {
    const uploadHash = hashToken(owner.uploadToken);
    // Read in the same statement: the request may be stored while the photo is.
    const leadId = sql`(SELECT id FROM leads WHERE submission_id = ${owner.uploadToken})`;
    const siblings = sql`(${isUnowned} AND upload_hash = ${uploadHash} OR lead_id IS NOT NULL AND lead_id = ${leadId})`;
    // An erased request has lost its submission's id, so the upload belongs to no request.
    return { columns: { uploadHash, leadId }, siblings, isLive: sql`true` };
  }
  if ("leadId" in owner)
    return {
      columns: { leadId: owner.leadId },
      siblings: sql`lead_id IS NOT NULL AND lead_id = ${owner.leadId}`,
      isLive: sql`EXISTS (SELECT 1 FROM leads WHERE id = ${owner.leadId} AND erased_at IS NULL)`,
    };
  const { kind, businessId } = owner;
  if ("purchaseId" in owner) {
    const { purchaseId } = owner;
    const siblings = sql`purchase_id IS NOT NULL AND purchase_id = ${purchaseId} AND kind = ${kind}`;
    const isLive = sql`(${isActive(businessId)} AND EXISTS (SELECT 1 FROM lead_purchases
      INNER JOIN leads ON leads.id = lead_purchases.lead_id
      WHERE lead_purchases.id = ${purchaseId} AND leads.erased_at IS NULL))`;
    return { columns: { purchaseId, businessId }, siblings, isLive };
  }
  const siblings = sql`business_id IS NOT NULL AND business_id = ${businessId} AND kind = ${kind}`;
  return { columns: { businessId }, siblings, isLive: isActive(businessId) };
}

const tooMany = (kind: PhotoKind) =>
  new DomainError("too_many_photos", `That’s enough: we can keep ${MAX_PHOTOS[kind]} here.`);

/** Maximum photos without an owner, together. A flood of uploads costs no more than this a day. */
const MAX_UNOWNED = 2_000;

/** Refuses uploads for requests that are not sent yet, while too many wait. @throws TryLater too_many_requests */
async function requireRoom(db: Db, uploadToken: string): Promise<void> {
  const unowned = sql`SELECT 1 FROM photos WHERE ${isUnowned}`;
  const [row] =
    await db.all(sql`SELECT 1 WHERE (SELECT count(*) FROM (${unowned} LIMIT ${MAX_UNOWNED})) >= ${MAX_UNOWNED}
    AND NOT EXISTS (SELECT 1 FROM leads WHERE submission_id = ${uploadToken})`);
  const words = "We can’t take photos right now. Please send your request without waiting for them.";
  if (row) throw new TryLater("too_many_requests", words, MINUTE_MS / 1000);
}

/** Returns whether a photo has its owner, so that it was stored in full. */
const isOwned = ({ uploadHash, leadId, purchaseId }: PhotoRow) => Boolean(uploadHash ?? leadId ?? purchaseId);

/**
 * Encodes and stores a photo. The row gets its owner last, so that a crash leaves a row without one, which the sweep deletes.
 * @param id a repeated upload has the same id, and changes nothing
 * @throws DomainError photo_refused, too_many_photos, not_found if the owner was erased, TryLater; errors of Images, R2 and D1
 */
export async function addPhoto(
  { db, FILES, IMAGES }: Pick<Context, "db" | "FILES" | "IMAGES">,
  owner: PhotoOwner,
  bytes: Uint8Array,
  now: number,
  id = newId("pho"),
): Promise<{ photo: Photo; leadId: string | null }> {
  const { kind } = owner;
  const { columns, siblings, isLive } = ownerOf(owner);
  const findStored = async () => {
    const known = await findPhoto(db, id);
    return known && isOwned(known) ? { photo: toPhoto(known), leadId: known.leadId } : null;
  };
  const known = await findStored();
  if (known) return known;
  // A new logo replaces the old one, and so does a new photo of a bad lead.
  const isReplaced = kind === "logo" || kind === "report";
  const max = isReplaced ? null : MAX_PHOTOS[kind];
  const isFull = async () => max !== null && (await db.$count(photos, siblings)) >= max;
  if (await isFull()) throw tooMany(kind);
  if ("uploadToken" in owner) await requireRoom(db, owner.uploadToken);
  const { files, width, height } = await encodePhoto(IMAGES, bytes);
  const size = files.small.length + files.large.length;
  await db
    .insert(photos)
    .values({ id, kind, width, height, bytes: size, createdAt: now })
    .onConflictDoNothing();
  for (const name of Object.keys(files) as PhotoSize[])
    await putFile(FILES, photoKey(id, name), files[name], "image/webp");
  const hasRoom = max === null ? undefined : sql`(SELECT count(*) FROM photos WHERE ${siblings}) < ${max}`;
  const [, [row]] = await db.batch([
    deletePhotos(db, isReplaced ? siblings : sql`false`),
    db
      .update(photos)
      .set({ ...columns, createdAt: now })
      // A photo that someone has deleted stays deleted if its upload is repeated.
      .where(and(eq(photos.id, id), gt(photos.createdAt, 0), isLive, hasRoom))
      .returning(),
    countPhotos(db, sql`(SELECT lead_id FROM photos WHERE id = ${id})`),
  ]);
  if (row) return { photo: toPhoto(row), leadId: row.leadId };
  // The same upload, sent twice at once, took the last place.
  const stored = await findStored();
  if (stored) return stored;
  await db.update(photos).set(DISCARDED).where(eq(photos.id, id));
  throw (await isFull()) ? tooMany(kind) : new DomainError("not_found");
}

/** Returns the statement that counts a request's photos again, in all its leads. @param leadId its first lead */
function countPhotos(db: Db, leadId: string | SQL) {
  const photoCount = sql`(SELECT count(*) FROM photos WHERE lead_id IS NOT NULL AND lead_id = ${leadId} AND created_at > 0)`;
  const rescued = sql`(SELECT id FROM leads WHERE rescued_from_id IS NOT NULL AND rescued_from_id = ${leadId})`;
  return db
    .update(leads)
    .set({ photoCount })
    .where(sql`${leads.id} IN (${leadId}, ${rescued})`);
}

/** SQL: the number of photos uploaded before the request itself. */
export const countUploads = (submissionId: string) =>
  sql<number>`(SELECT count(*) FROM photos WHERE ${isUnowned} AND upload_hash = ${hashToken(submissionId)})`;

/** Returns the statement that attaches a visitor's uploads to their request, in the batch that stores it. */
export function attachUploads(db: Db, leadId: string, submissionId: string) {
  return db
    .update(photos)
    .set({ leadId })
    .where(and(isUnowned, eq(photos.uploadHash, hashToken(submissionId))));
}

/** Columns of a deleted photo. It belongs to no row, so no caller can see it. The next sweep deletes its files. */
const DISCARDED = {
  leadId: null,
  purchaseId: null,
  businessId: null,
  uploadHash: null,
  customerAgreedAt: null,
  providerAgreedAt: null,
  createdAt: 0,
} satisfies Partial<typeof photos.$inferInsert>;

/** Returns the statement that deletes photos. */
export function deletePhotos(db: Db, where: SQL) {
  return db.update(photos).set(DISCARDED).where(where);
}

/** Returns the statements that delete all photos of a lead and of the work on it. */
export function deletePhotosOfLead(db: Db, leadId: string) {
  return [
    deletePhotos(db, ofLead(leadId)),
    deletePhotos(db, ofWorkOn(leadId)),
    db.update(leads).set({ photoCount: 0 }).where(eq(leads.id, leadId)),
  ] as const;
}

/**
 * Deletes one photo and updates its request's photo count.
 * @returns the first lead of its request, or null. The batch reads it, because a request may attach the photo just then.
 */
export async function deletePhoto(db: Db, id: string): Promise<string | null> {
  const [[row]] = await db.batch([
    // Exclude the photo from the count. Its `lead_id` is still needed to find the lead.
    db
      .update(photos)
      .set({ createdAt: DISCARDED.createdAt })
      .where(eq(photos.id, id))
      .returning({ leadId: photos.leadId }),
    countPhotos(db, sql`(SELECT lead_id FROM photos WHERE id = ${id})`),
    deletePhotos(db, eq(photos.id, id)),
  ]);
  return row?.leadId ?? null;
}

/** Columns of a photo that the business does not offer to show. This ends the customer's agreement. */
const NOT_OFFERED = { providerAgreedAt: null, customerAgreedAt: null };

/** Returns the statement that stops showing the photos of a purchase. */
export const withdrawPhotos = (db: Db, purchaseId: string) =>
  db
    .update(photos)
    .set(NOT_OFFERED)
    .where(ofPurchases(sql`(${purchaseId})`));

/** Stores whether a business wants to show a photo of its work. */
export async function offerPhoto(db: Db, id: string, isOffered: boolean, act: Act): Promise<void> {
  const columns = isOffered ? { providerAgreedAt: act.now } : NOT_OFFERED;
  await db.batch([
    db.update(photos).set(columns).where(eq(photos.id, id)),
    auditEntry(db, act.actor, {
      at: act.now,
      action: "photo.offer",
      subjectType: "photo",
      subjectId: id,
      after: { isOffered },
      requestId: act.requestId,
    }),
  ]);
}

/** Stores whether the customer agrees to show a photo of their garden. Without the business's offer, stores nothing. */
export async function agreeToPhoto(db: Db, id: string, isAgreed: boolean, now: number): Promise<void> {
  const where = and(eq(photos.id, id), isNotNull(photos.providerAgreedAt));
  const batch = guardedBatch(db, { from: photos, where }, [
    db
      .update(photos)
      .set({ customerAgreedAt: isAgreed ? now : null })
      .where(eq(photos.id, id)),
    auditEntry(db, SYSTEM_ACTOR, {
      at: now,
      action: "photo.agree",
      subjectType: "photo",
      subjectId: id,
      after: { isAgreed, by: "customer" },
    }),
  ]);
  await batch.catch(ignoreIfChanged);
}

/** Time for a visitor to send the request after the upload. */
const UNOWNED_MS = DAY_MS;
const SWEEP_BATCH = 100;

/** Deletes the files of deleted photos, and uploads without a request. R2 first: a failure repeats the whole batch. */
export async function sweepPhotos({ db, FILES }: Context, now: number): Promise<{ deleted: number }> {
  const ids = await listUnownedPhotos(db, now - UNOWNED_MS, SWEEP_BATCH);
  if (ids.length === 0) return { deleted: 0 };
  const sizes = Object.keys(PHOTO_SIZES) as PhotoSize[];
  await deleteFiles(
    FILES,
    ids.flatMap((id) => sizes.map((size) => photoKey(id, size))),
  );
  await db.delete(photos).where(and(inArray(photos.id, ids), isNull(photos.leadId)));
  return { deleted: ids.length };
}
