/** What no endpoint shows, one function for each fact. A renamed table or class changes only this file. */
import { api } from "../worker/api.ts";
import { exchangeOf } from "../worker/exchange/stub.ts";
import { guarded } from "../worker/identity/access.ts";
import { hashPassword } from "../worker/identity/auth/password-hash.ts";
import { hashToken } from "../worker/identity/auth/tokens.ts";
import { readWebp } from "../worker/leads/photos/images.ts";
import { listProfilePhotos } from "../worker/leads/photos/queries.ts";
import { findLead } from "../worker/leads/queries.ts";
import { contactKeys } from "../worker/leads/quarantine/contact-keys.ts";
import type { LeadRow } from "../worker/leads/rules.ts";
import { roomOf as businessRoom } from "../worker/live/room.ts";
import { readPublicReviews } from "../worker/pipeline/reviews/queries.ts";
import { WEBHOOK_EVENTS } from "../worker/selling/payments/intents.ts";
import { db, testEnv } from "./client.ts";

/** Returns a stored lead with the customer's details. @throws if there is none */
export async function leadRow(id: string): Promise<LeadRow> {
  const lead = await findLead(db, id);
  if (!lead) throw new Error(`No lead ${id}`);
  return lead;
}

/** Returns the stub of a region's exchange. */
export const exchangeIn = (region: string) => exchangeOf(testEnv, region)!;

/** Returns the stub of the room that connects a business's open windows. */
export const roomOf = (businessId: string) => businessRoom(testEnv, businessId);

/** Returns the hash by which D1 knows the session of a cookie. */
export const sessionHash = (cookie: string): string => hashToken(cookie.replace("session=", ""));

/** Returns the stored hash of a password. */
export const hashOf = (password: string): Promise<string> => hashPassword(password);

/** Returns a page of the reviews that a business's public page shows. */
export const publicReviews = (businessId: string, page = 1) => readPublicReviews(db, businessId, page);

/** Returns the photos that a business's public page shows. */
export const publicPhotos = (businessId: string) => listProfilePhotos(db, businessId, 10);

/** Returns the width and height of a stored photo. */
export const sizeOfPhoto = (bytes: Uint8Array) => readWebp(bytes);

/** Columns of a lead or booking by which we find its customer again. */
export { contactKeys };

/** Stripe's events that our webhook endpoint must handle. */
export { WEBHOOK_EVENTS };

/** Returns every route of the API, and whether it declares who may call it. */
export function apiRoutes(): { method: string; path: string; isGuarded: boolean }[] {
  return api.routes.map(({ method, path, handler }) => ({ method, path, isGuarded: guarded.has(handler) }));
}
