import { ApiError } from "../lib/api.ts";
import { reducePhoto } from "./reduce-photo.ts";

/** Sends a business's photos one after another, small enough for a slow link. @throws ApiError */
export async function uploadPhotos(path: string, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const body = await reducePhoto(file);
    const headers = { "Content-Type": body.type || "application/octet-stream" };
    const response = await fetch(path, { method: "POST", headers, body });
    if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  }
}
