/** Headers of photo uploads. Kept out of photos.ts so that the dashboard's initial bundle does not include the schemas. */

/** Headers that name a visitor's credential: their upload's secret, or the link to their request. */
export const UPLOAD_TOKEN = "Upload-Token";
export const REQUEST_TOKEN = "Request-Token";

/** Header with the browser's key for one upload, so that a repeated upload is the same photo. */
export const PHOTO_KEY = "Photo-Key";

/** Header with the id of the user who took a job's photo, because a window may send it later (`madeBySchema`). */
export const MADE_BY = "Made-By";
