import { Hono } from "hono";

import { PHOTO_KEY, REQUEST_TOKEN, UPLOAD_TOKEN } from "../../../contract/photo-headers.ts";
import {
  type PhotoAnswer,
  photoAgreementSchema,
  photoRemovalSchema,
  uploadTokenSchema,
} from "../../../contract/photos.ts";
import { requestTokenSchema } from "../../../contract/request-links.ts";
import { access } from "../../identity/access.ts";
import { hashToken } from "../../identity/auth/rules.ts";
import { agreeToPhoto, type PhotoOwner, deletePhoto } from "../../leads/photos/commands.ts";
import { findPhoto, isOfRequest } from "../../leads/photos/queries.ts";
import { byId, notFound, purgeShownJobs, takePhoto } from "../../leads/photos/routes.ts";
import { findRequestByToken } from "../../leads/request-link-store.ts";
import { notifyRoom } from "../../live/room.ts";
import type { AppContext, AppEnv } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import { countNetworkAttempt, countTry } from "../../platform/http/rate-limit.ts";
import { photoIdOf } from "../../platform/ids.ts";
import { announcePhotos } from "./commands.ts";

/** Counts a visitor's act, by network and by credential. @throws TryLater too_many_requests */
async function countVisitor({ env }: Pick<AppContext, "env">, credential: string | undefined): Promise<void> {
  await countNetworkAttempt(env.PHOTO_PER_ADDRESS, env.CALLER.prefixes);
  if (credential) await countTry(env.PHOTO_PER_ADDRESS, `upload ${hashToken(credential)}`);
}

/** Returns the request that a visitor's photo is for. @throws DomainError link_ended, invalid_input, too_many_requests */
async function visitorOwner(c: AppContext): Promise<Extract<PhotoOwner, { kind: "request" }>> {
  const link = requestTokenSchema.safeParse(c.req.header(REQUEST_TOKEN));
  const upload = uploadTokenSchema.safeParse(c.req.header(UPLOAD_TOKEN));
  await countVisitor(c, link.data ?? upload.data);
  if (link.success) {
    const found = await findRequestByToken(c.env.db, link.data);
    if (!found) throw new DomainError("link_ended");
    return { kind: "request", leadId: found.first.id };
  }
  if (!upload.success) throw new DomainError("invalid_input", "Please reload the page");
  return { kind: "request", uploadToken: upload.data };
}

/** Shows the change in the buyer's windows. */
function announce(c: AppContext, leadId: string | null): void {
  if (leadId !== null) c.executionCtx.waitUntil(announcePhotos(c.env, leadId, Date.now()));
}

/**
 * Routes for the photos that a customer adds, and for their agreement to show photos of the work. A photo that the caller
 * may not see gets the same response as one that does not exist.
 */
export const customerPhotoRoutes = new Hono<AppEnv>()
  .post("/", access.anyone, async (c) => {
    const owner = await visitorOwner(c);
    const key = uploadTokenSchema.safeParse(c.req.header(PHOTO_KEY)).data;
    const id = key && photoIdOf("leadId" in owner ? owner.leadId : owner.uploadToken, key);
    const { photo, leadId } = await takePhoto(c, owner, id);
    announce(c, leadId);
    return c.json<PhotoAnswer>({ photo }, 201);
  })

  .post("/:id/removal", access.anyone, params(byId), jsonBody(photoRemovalSchema), async (c) => {
    const { token, uploadToken } = c.req.valid("json");
    await countVisitor(c, token ?? uploadToken);
    const photo = await findPhoto(c.env.db, c.req.valid("param").id);
    const link = token ? await findRequestByToken(c.env.db, token) : null;
    const isUploader = uploadToken !== undefined && photo?.uploadHash === hashToken(uploadToken);
    const isCustomer = link !== null && photo?.leadId === link.first.id;
    if (!photo || !(isUploader || isCustomer)) throw notFound();
    announce(c, await deletePhoto(c.env.db, photo.id));
    return c.json({ ok: true });
  })

  .post("/:id/agreement", access.anyone, params(byId), jsonBody(photoAgreementSchema), async (c) => {
    const { token, isAgreed } = c.req.valid("json");
    await countVisitor(c, token);
    const { db } = c.env;
    const photo = await findPhoto(db, c.req.valid("param").id);
    const link = await findRequestByToken(db, token);
    if (!photo?.purchaseId || !link || !(await isOfRequest(db, photo, link))) throw notFound();
    await agreeToPhoto(db, photo.id, isAgreed, Date.now());
    await purgeShownJobs(c);
    const { businessId, purchaseId } = photo;
    if (businessId) c.executionCtx.waitUntil(notifyRoom(c.env, { businessId, userId: "system" }, purchaseId));
    return c.json({ ok: true });
  });
