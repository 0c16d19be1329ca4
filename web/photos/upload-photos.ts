import { ApiError } from "../lib/api.ts";
import { reducePhoto } from "./reduce-photo.ts";

/** The message when a photo's upload or change got no response. */
export const PHOTO_NOT_SENT = "We couldn’t send it. Please check your connection and try again.";

/** Runs `work`. The browser asks before the page closes in the meantime, because the photos would be lost. */
export async function askBeforeLosing<T>(work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  addEventListener("beforeunload", (event) => event.preventDefault(), { signal: ended.signal });
  try {
    return await work();
  } finally {
    ended.abort();
  }
}

/**
 * Sends a business's photos one after another, small enough for a slow link.
 * @throws ApiError; TypeError without a connection
 */
export async function uploadPhotos(path: string, files: readonly File[]): Promise<void> {
  await askBeforeLosing(async () => {
    for (const file of files) {
      const body = await reducePhoto(file);
      const headers = { "Content-Type": body.type || "application/octet-stream" };
      const response = await fetch(path, { method: "POST", headers, body });
      if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
    }
  });
}
