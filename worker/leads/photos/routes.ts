import { Hono } from "hono";
import * as z from "zod/mini";

import { MADE_BY, PHOTO_KEY } from "../../../contract/photo-headers.ts";
import {
  MAX_PHOTO_BYTES,
  type Photo,
  PHOTO_SIZES,
  type PhotoAnswer,
  photoOfferSchema,
  type PhotoSize,
  uploadTokenSchema,
} from "../../../contract/photos.ts";
import { requestTokenSchema } from "../../../contract/request-links.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { businessOf, type BusinessScope, requireSameUser, scopeOf } from "../../identity/auth/rules.ts";
import { expireLinkingPages } from "../../identity/providers/commands.ts";
import { notifyRoom } from "../../live/room.ts";
import type { AppContext, AppEnv } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { fileResponse } from "../../platform/files.ts";
import { photoIdOf } from "../../platform/ids.ts";
import { jsonBody, params, query, readBytes } from "../../platform/http/body.ts";
import { expirePages, SHOWN_JOBS_TAG } from "../../platform/edge-cache/public-pages.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { findRequestByToken } from "../request-link-store.ts";
import { addPhoto, offerPhoto, photoKey, type PhotoOwner, deletePhoto } from "./commands.ts";
import {
  findPhoto,
  hasBoughtRequest,
  isOfRequest,
  isPublicPhoto,
  isReported,
  listOwnPhotos,
  ownsPurchase,
  type PhotoRow,
} from "./queries.ts";

export const notFound = () => new DomainError("not_found", "Photo not found");

const photoId = z.string().check(z.regex(/^pho_[0-9a-z]{20}$/));
export const byId = z.object({ id: photoId });
const byIdAndSize = z.object({ id: photoId, size: z.enum(Object.keys(PHOTO_SIZES) as PhotoSize[]) });
const tokenQuery = z.object({ token: z.optional(requestTokenSchema) });
const byKind = z.object({ kind: z.enum(["work", "logo"]) });
const byPurchase = z.object({
  id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)),
  kind: z.enum(["before", "after", "report"]),
});

/** Reads and stores the photo in a request's body. */
export async function takePhoto(c: AppContext, owner: PhotoOwner, id?: string) {
  const bytes = await readBytes(c.req.raw, MAX_PHOTO_BYTES);
  return addPhoto(c.env, owner, bytes, Date.now(), id);
}

/** Counts an upload of a signed-in business. @throws TryLater too_many_requests */
const countUpload = (c: AppContext, { businessId }: BusinessScope) =>
  countTry(c.env.PHOTO_PER_ADDRESS, `business ${businessId}`);

/** Returns whether the caller may see a photo, through their business, as an admin or through the request's link. */
async function canSee({ env }: Pick<AppContext, "env">, photo: PhotoRow, token?: string): Promise<boolean> {
  const { db, CALLER } = env;
  const { session } = CALLER;
  if (session && businessOf(session.user)) {
    const { user, impersonatorId, needsPasskey } = session;
    if (user.isSuperAdmin && impersonatorId === null && !needsPasskey) return true;
    const scope = scopeOf(session);
    if (photo.businessId === scope.businessId) return true;
    const { leadId } = photo;
    if (leadId !== null && (await hasBoughtRequest(db, { ...photo, leadId }, scope))) return true;
  }
  const link = token ? await findRequestByToken(db, token) : null;
  if (link && (await isOfRequest(db, photo, link))) return true;
  return isPublicPhoto(db, photo);
}

/** Purges the service pages that may show a photo of the work: its customer may have withdrawn the agreement. */
export const purgeShownJobs = (c: AppContext) => expirePages(c.req.url, [SHOWN_JOBS_TAG], "purge");

/** Expires the suburb pages that may show a business's logo. */
async function expireLogo(
  c: AppContext,
  { kind }: Pick<Photo, "kind">,
  { businessId }: BusinessScope,
): Promise<void> {
  if (kind === "logo") await expireLinkingPages(c.env.db, c.req.url, businessId);
}

/** Returns one of a business's own photos. @throws DomainError not_found */
async function findOwnPhoto(c: AppContext, id: string, scope: BusinessScope): Promise<PhotoRow> {
  const photo = await findPhoto(c.env.db, id);
  if (photo?.businessId !== scope.businessId) throw notFound();
  return photo;
}

/**
 * Refuses a bad-lead report's photo from a team member, and one after the report, which an admin may have read.
 * @throws DomainError forbidden, bad_lead_reported
 */
async function requireUnreported(c: AppContext, scope: BusinessScope, purchaseId: string): Promise<void> {
  if (!scope.isOwner) throw new DomainError("forbidden");
  if (await isReported(c.env.db, purchaseId))
    throw new DomainError("bad_lead_reported", "You've already reported this lead.");
}

/**
 * Photos of work and of businesses, and the files of all photos. Bodies of uploads are the file itself. A photo that the
 * caller may not see gets the same response as one that does not exist. The routes for customers' photos
 * are in worker/customer/request.
 */
export const photoRoutes = new Hono<AppEnv>()
  .post("/own/:kind", access.owner, notImpersonating, params(byKind), async (c) => {
    const scope = c.get("scope");
    await countUpload(c, scope);
    const { kind } = c.req.valid("param");
    const { photo } = await takePhoto(c, { kind, businessId: scope.businessId });
    await expireLogo(c, photo, scope);
    return c.json<PhotoAnswer>({ photo }, 201);
  })

  .get("/own/:kind", access.business, params(byKind), async (c) =>
    c.json({ photos: await listOwnPhotos(c.env.db, c.get("scope"), c.req.valid("param").kind) }),
  )

  .post("/purchases/:id/:kind", access.business, notImpersonating, params(byPurchase), async (c) => {
    const scope = c.get("scope");
    requireSameUser(c.req.header(MADE_BY), scope);
    await countUpload(c, scope);
    const { id: purchaseId, kind } = c.req.valid("param");
    if (!(await ownsPurchase(c.env.db, scope, purchaseId)))
      throw new DomainError("not_found", "Purchase not found");
    if (kind === "report") await requireUnreported(c, scope, purchaseId);
    const key = uploadTokenSchema.safeParse(c.req.header(PHOTO_KEY)).data;
    const owner = { kind, purchaseId, businessId: scope.businessId } as const;
    const { photo } = await takePhoto(c, owner, key && photoIdOf(`${purchaseId} ${kind}`, key));
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, purchaseId));
    return c.json<PhotoAnswer>({ photo }, 201);
  })

  .patch("/:id", access.business, notImpersonating, params(byId), jsonBody(photoOfferSchema), async (c) => {
    const photo = await findOwnPhoto(c, c.req.valid("param").id, c.get("scope"));
    if (photo.purchaseId === null || photo.kind === "report") throw notFound();
    await offerPhoto(c.env.db, photo.id, c.req.valid("json").isOffered, c.get("act"));
    await purgeShownJobs(c);
    c.executionCtx.waitUntil(notifyRoom(c.env, c.get("scope"), photo.purchaseId));
    return c.json({ ok: true });
  })

  .delete("/:id", access.business, notImpersonating, params(byId), async (c) => {
    const photo = await findOwnPhoto(c, c.req.valid("param").id, c.get("scope"));
    // Team members work on purchases, not on the profile.
    if (photo.purchaseId === null && !c.get("scope").isOwner) throw new DomainError("forbidden");
    if (photo.kind === "report" && photo.purchaseId !== null)
      await requireUnreported(c, c.get("scope"), photo.purchaseId);
    await deletePhoto(c.env.db, photo.id);
    await expireLogo(c, photo, c.get("scope"));
    if (photo.purchaseId) {
      await purgeShownJobs(c);
      c.executionCtx.waitUntil(notifyRoom(c.env, c.get("scope"), photo.purchaseId));
    }
    return c.json({ ok: true });
  })

  .get("/:id/:size", access.anyone, params(byIdAndSize), query(tokenQuery), async (c) => {
    const { id, size } = c.req.valid("param");
    const photo = await findPhoto(c.env.db, id);
    if (!photo || !(await canSee(c, photo, c.req.valid("query").token))) throw notFound();
    // Short, since a photo may be deleted or hidden at any time.
    const cached = { "Cache-Control": "private, max-age=300" };
    const response = await fileResponse(c.env.FILES, photoKey(id, size), cached);
    if (!response) throw notFound();
    return response;
  });
