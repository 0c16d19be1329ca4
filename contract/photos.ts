/** What a photo shows: a request, work before and after, a business's own work, or its logo. */
export const PHOTO_KINDS = ["request", "before", "after", "work", "logo"] as const;
export type PhotoKind = (typeof PHOTO_KINDS)[number];
