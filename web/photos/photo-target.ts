import type { REQUEST_TOKEN, UPLOAD_TOKEN } from "../../contract/photo-headers.ts";
import { storedDraft } from "../documents/stored-draft.ts";

/** The header and the secret that attach a photo to a request. */
export type PhotoTarget = { header: typeof UPLOAD_TOKEN | typeof REQUEST_TOKEN; value: string };

/** Returns whether this tab has photos to send. `markPhotos` in photo-queue.ts writes the key. */
export const hasPhotos = (): boolean => storedDraft("/success").read() !== null;
