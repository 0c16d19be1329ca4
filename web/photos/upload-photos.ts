import { ApiError } from "../lib/api.ts";
import { reducePhoto } from "./reduce-photo.ts";

/** The message when a photo's upload or change got no response. */
export const PHOTO_NOT_SENT = "We couldn’t send it. Please check your connection and try again.";

/**
 * Sends a business's photos one after another, small enough for a slow link. The browser asks before the page closes in
 * the meantime, because the photos would be lost.
 * @throws ApiError; TypeError without a connection
 */
export async function uploadPhotos(path: string, files: readonly File[]): Promise<void> {
  const ended = new AbortController();
  addEventListener("beforeunload", (event) => event.preventDefault(), { signal: ended.signal });
  try {
    for (const file of files) {
      const body = await reducePhoto(file);
      const headers = { "Content-Type": body.type || "application/octet-stream" };
      const response = await fetch(path, { method: "POST", headers, body });
      if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
    }
  } finally {
    ended.abort();
  }
}
