/**
 * Uploads photos one after another, and retries until each arrives or is refused. The queue is in IndexedDB, so that a
 * reload or the next page resumes it.
 */
import { createStore as openDatabase, del, entries, set, type UseStore } from "idb-keyval";

import { DAY_MS } from "../../contract/durations.ts";
import { PHOTO_KEY, REQUEST_TOKEN } from "../../contract/photo-headers.ts";
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_TOO_LARGE, type PhotoAnswer } from "../../contract/photos.ts";
import { readProblem } from "../../contract/problem.ts";
import { storedDraft } from "../documents/stored-draft.ts";
import { backoffMs } from "../lib/backoff.ts";
import { createStore } from "../lib/store.ts";
import type { PhotoTarget } from "./photo-target.ts";
import { reducePhoto } from "./reduce-photo.ts";

/** A photo in IndexedDB, without its bytes once it was sent. Its key makes a repeated upload harmless. */
type Stored = { target: PhotoTarget; blob: Blob | null; at: number; photoId: string | null };

export type QueuedPhoto = Stored & {
  key: string;
  state: "reducing" | "waiting" | "sending" | "retrying" | "sent" | "refused";
  error: string | null;
};

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** A slow phone needs a minute for the largest photo. */
const SEND_TIMEOUT_MS = 180_000;

export const photoQueue = createStore<readonly QueuedPhoto[]>([]);
let database: UseStore | null = null;
let isSending = false;
let tries = 0;

/** The quote form stores its own draft under the key of its path. */
const hasOwnDraft = () => document.querySelector("[name=startToken]") !== null;

/**
 * Marks this tab as having photos to send. `documents/document.ts` looks for the key of the page's path, and then starts
 * the page's picker without waiting for a touch. The quote form's photos go on at the thank-you page.
 */
function markPhotos(isPending: boolean) {
  const marks = [storedDraft("/success"), ...(hasOwnDraft() ? [] : [storedDraft()])];
  for (const mark of marks) {
    if (isPending) mark.write("photos");
    else if (!hasOwnDraft()) mark.write(null);
  }
}

function change(next: readonly QueuedPhoto[]) {
  markPhotos(next.some(({ state }) => state !== "sent" && state !== "refused"));
  photoQueue.write(next);
}

const find = (key: string) => photoQueue.read().find((photo) => photo.key === key);

const update = (key: string, changes: Partial<QueuedPhoto>) =>
  change(photoQueue.read().map((photo) => (photo.key === key ? { ...photo, ...changes } : photo)));

/** Writes to IndexedDB. Without it, the photos last as long as the page. */
async function writeToStore(write: (to: UseStore) => Promise<void>): Promise<void> {
  try {
    database ??= openDatabase("photos", "uploads");
    await write(database);
  } catch {
    // The browser blocks storage, or the disk is full.
  }
}

/** Returns whether a photo is for the same request. */
const isFor = (target: PhotoTarget, photo: Pick<Stored, "target">) => photo.target.value === target.value;

/**
 * Reads the stored photos, and goes on sending. Deletes those of yesterday, and those that an earlier page has sent.
 * @param target the request of the page. Its sent photos stay in the list
 */
async function resumePhotos(target: PhotoTarget): Promise<void> {
  await writeToStore(async (from) => {
    const stored = await entries<string, Stored>(from);
    const known = new Set(photoQueue.read().map(({ key }) => key));
    const found = stored
      .filter(([key]) => !known.has(key))
      .toSorted(([, a], [, b]) => a.at - b.at)
      .flatMap(([key, photo]): QueuedPhoto[] => {
        const isOver = photo.photoId !== null && !isFor(target, photo);
        // A file is an original, which the earlier page had no time to reduce.
        const state = photo.photoId ? "sent" : photo.blob instanceof File ? "reducing" : "waiting";
        if (Date.now() - photo.at < DAY_MS && !isOver) return [{ ...photo, key, state, error: null }];
        void del(key, from);
        return [];
      });
    change([...photoQueue.read(), ...found]);
  });
  void sendAll();
  void reduceAll();
}

let resumed: Promise<void> | null = null;

/** Resumes stored uploads, and enqueues the photos picked in this field. */
export async function enqueuePhotos(target: PhotoTarget, input: HTMLInputElement): Promise<void> {
  const files = [...(input.files ?? [])];
  // The same photo can be picked again.
  if (files.length > 0) input.value = "";
  await (resumed ??= resumePhotos(target));
  await addPhotos(target, files);
}

/**
 * Adds photos to the queue, and shows them at once. Photos beyond the limit are refused with a sentence. Stores all
 * originals before the browser reduces the first: the visitor may leave the page at any time.
 */
async function addPhotos(target: PhotoTarget, files: readonly File[]): Promise<void> {
  const now = Date.now();
  const picked = files.map((blob, i) => ({ target, blob, at: now + i, photoId: null }) satisfies Stored);
  const queue = photoQueue.read();
  const room =
    MAX_PHOTOS.request - queue.filter((photo) => isFor(target, photo) && photo.state !== "refused").length;
  const added = picked.map((photo, i): QueuedPhoto => {
    const key = crypto.randomUUID();
    return i < room
      ? { ...photo, key, state: "reducing", error: null }
      : { ...photo, key, state: "refused", error: `You can add up to ${MAX_PHOTOS.request} photos.` };
  });
  change([...queue, ...added]);
  for (const [i, { key }] of added.slice(0, room).entries())
    // The visitor may have removed it in the meantime.
    if (find(key)?.state === "reducing") await writeToStore((to) => set(key, picked[i], to));
  await reduceAll();
}

let isReducing = false;

/** Reduces photos one after another, because each takes a phone's memory, and sends them. */
async function reduceAll(): Promise<void> {
  if (isReducing) return;
  isReducing = true;
  for (;;) {
    const next = photoQueue.read().find(({ state }) => state === "reducing");
    if (!next) break;
    await reduce(next);
    void sendAll();
  }
  isReducing = false;
}

async function reduce({ key, target, at, blob: original }: QueuedPhoto): Promise<void> {
  const blob = await reducePhoto(original!);
  // The visitor has removed it in the meantime.
  if (!find(key)) return;
  if (blob.size > MAX_PHOTO_BYTES) {
    update(key, { state: "refused", error: PHOTO_TOO_LARGE });
    return writeToStore((from) => del(key, from));
  }
  update(key, { blob, state: "waiting" });
  await writeToStore((to) => set(key, { target, blob, at, photoId: null } satisfies Stored, to));
}

/** Removes a photo from the page, from the queue and from the server. */
export async function removeQueued({ key, photoId, target }: QueuedPhoto): Promise<void> {
  change(photoQueue.read().filter((photo) => photo.key !== key));
  const deletion = writeToStore((from) => del(key, from));
  const name = target.header === "Upload-Token" ? "uploadToken" : "token";
  if (photoId)
    await fetch(`/api/photos/${photoId}/removal`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ [name]: target.value }),
      // The visitor may send the form at once, which leaves the page.
      keepalive: true,
    }).catch(() => {
      // The customer can delete it on their request's page.
    });
  await deletion;
}

async function sendAll(): Promise<void> {
  if (isSending) return;
  isSending = true;
  try {
    for (;;) {
      const next = photoQueue.read().find(({ state }) => state === "waiting");
      if (!next) return;
      await send(next);
    }
  } finally {
    isSending = false;
  }
}

/** Sends one photo. After a failure of the network or the server, the whole queue waits and retries. */
async function send({ key, target, blob, at }: QueuedPhoto): Promise<void> {
  update(key, { state: "sending" });
  const response = await fetch("/api/photos", {
    method: "POST",
    headers: {
      [target.header]: target.value,
      [PHOTO_KEY]: key,
      "Content-Type": blob?.type || "application/octet-stream",
    },
    body: blob,
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  }).catch(() => null);
  const answer: unknown = await response?.json().catch(() => null);
  // The visitor has removed it in the meantime.
  const current = find(key);
  if (response?.ok) {
    tries = 0;
    const { photo } = answer as PhotoAnswer;
    if (!current)
      return removeQueued({ key, target, blob, at, photoId: photo.id, state: "sent", error: null });
    update(key, { state: "sent", photoId: photo.id });
    // Leave no photo and no link to the request on a shared computer. The form lists its photos again after a reload.
    return writeToStore((to) =>
      target.header === REQUEST_TOKEN
        ? del(key, to)
        : set(key, { target, blob: null, at, photoId: photo.id } satisfies Stored, to),
    );
  }
  const isFinal = response && response.status < 500 && ![408, 429].includes(response.status);
  if (isFinal) {
    update(key, { state: "refused", error: readProblem(answer)?.detail ?? "We couldn’t add this photo." });
    return writeToStore((from) => del(key, from));
  }
  update(key, { state: "retrying" });
  await waitForRetry();
  if (current) update(key, { state: "waiting" });
}

/** Waits until the next try, or until the phone is online again. */
function waitForRetry(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, backoffMs(tries++, FIRST_RETRY_MS, MAX_RETRY_MS));
    addEventListener("online", () => resolve(), { once: true });
  });
}
