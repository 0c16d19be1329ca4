import { useQueryClient } from "@tanstack/react-query";

import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_TOO_LARGE } from "../../contract/photos.ts";
import { toBase64 } from "../lib/base64.ts";
import { reducePhoto } from "../photos/reduce-photo.ts";
import { askBeforeLosing } from "../photos/upload-photos.ts";
import { useToast } from "../ui/toaster.tsx";
import type { OutboxEntry, PhotoEntry, WorkKind } from "./entries.ts";
import type { PurchasedLead } from "./purchases.ts";
import { createEntry, getOutbox, useChanges } from "./use-outbox.ts";
import { sendAndReport } from "./use-purchase-change.ts";

/** Maximum photos that wait in a window, and their size as base64: about 30 MB of photos. */
const MAX_WAITING = 20;
const MAX_WAITING_CHARACTERS = 40_000_000;

const TOO_MANY_WAITING =
  "Too many photos are waiting to be sent. Please add this one once you have a connection.";

const isWaitingPhoto = (entry: OutboxEntry): entry is PhotoEntry =>
  entry.kind === "photo" && entry.error === undefined;

/** Returns a lead's photos of the work that wait for the server, and a function that adds some. */
export function useWorkPhotos({ id }: PurchasedLead) {
  const client = useQueryClient();
  const toast = useToast();
  const waiting = useChanges()
    .filter(isWaitingPhoto)
    .filter(({ purchaseId }) => purchaseId === id);

  /** Adds a photo. @returns why it cannot wait here; null if it waits */
  async function addOne(of: WorkKind, file: File): Promise<string | null> {
    const blob = await reducePhoto(file);
    if (blob.size > MAX_PHOTO_BYTES) return PHOTO_TOO_LARGE;
    const body = { of, type: blob.type, bytes: toBase64(new Uint8Array(await blob.arrayBuffer())) };
    const all = getOutbox(client).changes().filter(isWaitingPhoto);
    const size = all.reduce((sum, photo) => sum + photo.body.bytes.length, body.bytes.length);
    if (all.length >= MAX_WAITING || size > MAX_WAITING_CHARACTERS) return TOO_MANY_WAITING;
    const entry: OutboxEntry = { ...createEntry(client, id, crypto.randomUUID()), kind: "photo", body };
    void sendAndReport({ client, toast }, entry);
    return null;
  }

  return {
    waiting,
    /**
     * Adds photos. They are sent one after another, and kept on this device until then.
     * @param room how many more the lead can have
     * @returns the first reason why one was not added; null if all were
     */
    add: (of: WorkKind, files: readonly File[], room: number): Promise<string | null> =>
      askBeforeLosing(async () => {
        let refusal = files.length > room ? `You can add up to ${MAX_PHOTOS[of]} photos here.` : null;
        // One after another, because each takes a phone's memory.
        for (const file of files.slice(0, Math.max(0, room))) refusal ??= await addOne(of, file);
        return refusal;
      }),
  };
}
