import type { REQUEST_TOKEN, UPLOAD_TOKEN } from "../../contract/photos.ts";

/** The header and the secret that attach a photo to a request. */
export type PhotoTarget = { header: typeof UPLOAD_TOKEN | typeof REQUEST_TOKEN; value: string };

/**
 * Marks this tab as having photos to send. `documents/document.ts` looks for the key of the page's path, and then starts
 * the page's picker without waiting for a touch. The quote form's photos go on at the thank-you page.
 */
const keysOf = () => [
  ...new Set(["draft /success", ...(hasOwnDraft() ? [] : [`draft ${location.pathname}`])]),
];

/** The quote form stores its own draft under this key. */
const hasOwnDraft = () => document.querySelector("[name=startToken]") !== null;

export function markPhotos(isPending: boolean) {
  try {
    for (const key of keysOf()) {
      if (isPending) sessionStorage.setItem(key, "photos");
      else if (!hasOwnDraft()) sessionStorage.removeItem(key);
    }
  } catch {
    // The browser blocks storage: the queue goes on at the next touch.
  }
}

/** Returns whether this tab has had photos to send. */
export function hasPhotos(): boolean {
  try {
    return sessionStorage.getItem("draft /success") !== null;
  } catch {
    return false;
  }
}
