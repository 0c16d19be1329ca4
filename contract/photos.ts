import * as z from "zod/mini";

import { requestTokenSchema } from "./request-links.ts";

/** What a photo shows: a request, work before and after, the fault of a bad lead, a business's own work, or its logo. */
export const PHOTO_KINDS = ["request", "before", "after", "report", "work", "logo"] as const;
export type PhotoKind = (typeof PHOTO_KINDS)[number];

/** Sizes in the bucket, with the length of the longer side in pixels. */
export const PHOTO_SIZES = { small: 480, large: 1600 } as const;
export type PhotoSize = keyof typeof PHOTO_SIZES;

export const MAX_PHOTO_BYTES = 12 * 1024 * 1024;

/** Maximum photos of one kind that belong to one request, purchase or business. */
export const MAX_PHOTOS: Readonly<Record<PhotoKind, number>> = {
  request: 4,
  before: 4,
  after: 4,
  report: 1,
  work: 8,
  logo: 1,
};

export const PHOTO_TOO_LARGE = "That photo is over 12 MB. Please choose a smaller one.";
export const PHOTO_UNREADABLE = "We can’t read that photo. Please send it as a JPEG.";

/**
 * The secret of a visitor's uploads: the id of the form's submission. Photos with it belong to the request that is sent
 * with the same id, whichever arrives first.
 */
export const uploadTokenSchema = z.string().check(z.regex(/^[0-9a-zA-Z-]{16,64}$/, "Please reload the page"));

/** A photo as its owner sees it. */
export type Photo = {
  id: string;
  kind: PhotoKind;
  /** In pixels, of the large size. */
  width: number;
  height: number;
  /** Before-and-after photos: the business wants to show it, and the customer has agreed. */
  isOffered: boolean;
  isAgreed: boolean;
};

/** Response of every upload. */
export type PhotoAnswer = { photo: Photo };

/** Body of PATCH /api/photos/:id: whether the business wants to show a before-and-after photo on its page and the service pages. */
export const photoOfferSchema = z.object({ isOffered: z.boolean("Yes or no") });

/** Body of POST /api/photos/:id/agreement: whether the customer agrees to show a photo of their garden to everyone. */
export const photoAgreementSchema = z.object({ token: requestTokenSchema, isAgreed: z.boolean("Yes or no") });

/** Body of POST /api/photos/:id/removal: a visitor deletes a photo of their request. */
export const photoRemovalSchema = z.object({
  token: z.optional(requestTokenSchema),
  uploadToken: z.optional(uploadTokenSchema),
});

/**
 * Returns the URL of a photo.
 * @param token the customer's link to the request, if that is their right to see it
 */
export function photoUrl(id: string, size: PhotoSize, token?: string): string {
  return `/api/photos/${id}/${size}${token ? `?token=${encodeURIComponent(token)}` : ""}`;
}
