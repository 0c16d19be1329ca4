/** This window's outbox: connects it to the server, to this device's encrypted store and to the screen. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";

import type { CurrentUser } from "../../contract/auth.ts";
import { MADE_BY, PHOTO_KEY } from "../../contract/photo-headers.ts";
import { recheckCurrentUser, CURRENT_USER_KEY } from "../auth/current-user.ts";
import { ApiError, codeOf, unwrap } from "../lib/api.ts";
import { fromBase64 } from "../lib/base64.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useStore } from "../lib/store.ts";
import { STORED_PIPELINE } from "../lib/clear-encrypted-store.ts";
import {
  deleteEncrypted,
  listEncryptedNames,
  readAllEncrypted,
  readEncrypted,
  storeEncrypted,
} from "../lib/encrypted-store.ts";
import {
  applyEntries,
  type OutboxEntry,
  type PhotoEntry,
  rebaseNotes,
  REFUSED,
  storageName,
  WAITING,
} from "./entries.ts";
import { Outbox, type SendOptions } from "./outbox.ts";
import { applySavedFields, editPurchase, getCachedPurchase, type PurchasedLead } from "./purchases.ts";

/** The fields that the server returns after a change. Empty after a photo. */
type SavedPurchase = Partial<PurchasedLead>;

/** Maximum length of notes in a `keepalive` request. Browsers refuse bodies over 64 KiB. */
const MAX_KEEPALIVE_CHARACTERS = 20_000;

/** A request that hangs would hold up every other entry. */
const SEND_TIMEOUT_MS = 30_000;
/** A slow phone needs a minute for the largest photo. */
const PHOTO_TIMEOUT_MS = 180_000;

async function sendPhoto({ id, purchaseId, userId, body }: PhotoEntry): Promise<SavedPurchase> {
  const headers = {
    "Content-Type": body.type || "application/octet-stream",
    [PHOTO_KEY]: id,
    [MADE_BY]: userId,
  };
  const response = await fetch(`/api/photos/purchases/${purchaseId}/${body.of}`, {
    method: "POST",
    headers,
    body: fromBase64(body.bytes),
    signal: AbortSignal.timeout(PHOTO_TIMEOUT_MS),
  });
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  // A hotel's login page is HTML with status 200. Then this throws, and the photo is sent again.
  await response.json();
  return {};
}

/** Sends an entry to the server. @throws ApiError; TypeError when offline */
export function sendEntry(entry: OutboxEntry, { isLate, isKeepalive }: SendOptions): Promise<SavedPurchase> {
  const purchase = browserApi().api["lead-purchases"][":id"];
  const param = { id: entry.purchaseId };
  const { id, userId: madeBy, madeAt } = entry;
  const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
  if (entry.kind === "contact") {
    // Limit the time to now: the device's clock may have been ahead.
    const at = entry.body.at ?? (isLate ? Math.min(madeAt, Date.now()) : undefined);
    const json = { ...entry.body, entryKey: id, madeBy, ...(at !== undefined && { at }) };
    return unwrap(purchase.contacts.$post({ param, json }, { init: { signal } }));
  }
  if (entry.kind === "photo") return sendPhoto(entry);
  if (entry.kind === "notes") {
    const { body, base } = entry;
    const keepalive = isKeepalive && body.length < MAX_KEEPALIVE_CHARACTERS;
    const json = { salesNotes: body || null, notesVersion: base.version, madeBy };
    return unwrap(purchase["sales-stage"].$patch({ param, json }, { init: { keepalive, signal } }));
  }
  const was = isLate && entry.base ? { was: entry.base } : {};
  const json = { ...entry.body, changeKey: id, madeBy, ...was };
  return unwrap(purchase["sales-stage"].$patch({ param, json }, { init: { signal } }));
}

/** Returns notes that the server already has, perhaps because the response to an earlier save was lost. */
function notesOnServer(entry: OutboxEntry, error: unknown): SavedPurchase {
  const notes = error instanceof ApiError ? error.problem?.notes : undefined;
  if (entry.kind !== "notes" || notes?.text !== entry.body) throw error;
  return { salesNotes: notes.text || null, notesVersion: notes.version };
}

const userOf = (client: QueryClient) => client.getQueryData<CurrentUser | null>(CURRENT_USER_KEY);

const removeStored = (names: readonly string[]) => Promise.all(names.map(deleteEncrypted));

function makeOutbox(client: QueryClient) {
  return new Outbox<SavedPurchase>({
    send: async (entry, options) => {
      try {
        const saved = await sendEntry(entry, options).catch((error) => notesOnServer(entry, error));
        if (entry.kind === "notes")
          editPurchase(client, entry.purchaseId, (current) => ({ ...current, ...saved }));
        else {
          const reloaded = applySavedFields(client, entry.purchaseId, saved);
          // Keep the photo until the reloaded list contains it, or it would disappear for a moment.
          if (entry.kind === "photo") await reloaded;
        }
        return saved;
      } catch (error) {
        // The session ended or belongs to another user, so refresh the current user.
        if (codeOf(error) === "unauthenticated") void recheckCurrentUser(client);
        throw error;
      }
    },
    rebase: rebaseNotes,
    // An impersonating admin leaves nothing on the device.
    store: async (entry) =>
      userOf(client)?.isImpersonating === false && storeEncrypted(storageName(entry), entry),
    remove: removeStored,
  });
}

const outboxes = new WeakMap<QueryClient, ReturnType<typeof makeOutbox>>();

export function getOutbox(client: QueryClient): ReturnType<typeof makeOutbox> {
  const outbox = outboxes.get(client) ?? makeOutbox(client);
  outboxes.set(client, outbox);
  return outbox;
}

let lastMadeAt = 0;

/** Returns a purchase as the user sees it: with the waiting entries. */
export function getShownPurchase(client: QueryClient, id: string): PurchasedLead | undefined {
  const purchase = getCachedPurchase(client, id);
  return purchase && applyEntries([purchase], getOutbox(client).changes())[0];
}

/** Returns the facts of a new entry, made now by the signed-in user. @param id idempotency key */
export function createEntry(client: QueryClient, purchaseId: string, id: string) {
  // Make timestamps unique, so that entries sort in the order they were made.
  lastMadeAt = Math.max(Date.now(), lastMadeAt + 1);
  const name = getCachedPurchase(client, purchaseId)?.customerName;
  return { id, purchaseId, userId: userOf(client)?.id ?? "", madeAt: lastMadeAt, ...(name && { name }) };
}

/**
 * Returns the entries that this user's earlier visits left on this device. Deletes entries and leads that another user
 * left after their session ended. While an admin impersonates, reads and deletes nothing.
 */
export async function readStoredEntries(
  user: Pick<CurrentUser, "id" | "isImpersonating">,
): Promise<OutboxEntry[]> {
  if (user.isImpersonating) return [];
  const [leads, ...lists] = await Promise.all([
    readEncrypted<{ user: { id: string } }>(STORED_PIPELINE),
    ...[...WAITING, REFUSED].map((prefix) => readAllEncrypted<OutboxEntry>(prefix)),
  ]);
  const stored = lists.flat();
  // Sort new entries after the stored ones, even if the clock was set back since.
  lastMadeAt = Math.max(lastMadeAt, ...stored.map(({ madeAt }) => madeAt));
  const namesToDelete = stored.filter((entry) => entry.userId !== user.id).map(storageName);
  if (leads && leads.user.id !== user.id) namesToDelete.push(STORED_PIPELINE);
  await removeStored(namesToDelete);
  return stored.filter((entry) => entry.userId === user.id);
}

/** Counts unsaved entries, and refused ones that the user has not dismissed, in this window and on this device. */
export async function countEntries(client: QueryClient): Promise<{ waiting: number; refused: number }> {
  const names = [...getOutbox(client).entries().map(storageName), ...(await listEncryptedNames(""))];
  const idsUnder = (prefixes: readonly string[]) =>
    new Set(
      names
        .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
        .map((name) => name.slice(name.lastIndexOf(":"))),
    );
  const refused = idsUnder([REFUSED]);
  // A refused entry is also stored as waiting if its refusal could not be stored.
  const waiting = [...idsUnder(WAITING)].filter((id) => !refused.has(id));
  return { waiting: waiting.length, refused: refused.size };
}

/** Channel on which windows of one browser share the IDs of dismissed refusals. */
const CHANNEL = "refusals-seen";

const channels = new WeakMap<QueryClient, BroadcastChannel>();

/** Applies dismissals from other windows of this browser, for the lifetime of the page. */
export function syncDismissals(client: QueryClient): void {
  const channel = channels.get(client) ?? new BroadcastChannel(CHANNEL);
  channels.set(client, channel);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- repeated calls must not add listeners
  channel.onmessage = ({ data }: MessageEvent<readonly string[]>) => void getOutbox(client).dismiss(data);
}

/** Hides this window's refusals, here and in the browser's other windows. */
export async function dismissRefusals(client: QueryClient): Promise<void> {
  const ids = await getOutbox(client).dismiss();
  // Post after deleting, so that a window opening now either finds nothing or gets this message.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
  channels.get(client)?.postMessage(ids);
}

/** Returns a value of this window's outbox. @param read returns the same value while nothing has changed */
export function useOutbox<T>(read: (outbox: ReturnType<typeof makeOutbox>) => T, onServer: T): T {
  const outbox = getOutbox(useQueryClient());
  return useStore({ subscribe: outbox.subscribe, read: () => read(outbox) }, onServer);
}

const NONE: readonly OutboxEntry[] = [];

/** Returns all waiting and refused entries except notes, in the order the user made them. */
export const useChanges = (): readonly OutboxEntry[] => useOutbox((outbox) => outbox.changes(), NONE);

/** Returns whether a purchase has delayed changes that have not reached the server. */
export const useHasLateChanges = (purchaseId: string): boolean =>
  useOutbox((outbox) => outbox.isLate(purchaseId), false);
