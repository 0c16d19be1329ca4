/**
 * Encrypted storage for offline use, by name. A cookie holds the key. It is deleted when the user signs out or another
 * user signs in (contract/offline.ts).
 */
import { del, get, keys, set } from "idb-keyval";

import { OFFLINE_KEY_COOKIE, OFFLINE_KEY_PATH } from "../../contract/offline.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { clearEncryptedStore, resultOrNull, store } from "./clear-encrypted-store.ts";

type Encrypted = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };

/** Lifetime of the key. After a week away, the user has to be online to start. */
const KEY_LIFETIME_SECONDS = 7 * 24 * 3600;

function readKey(): string | null {
  return new RegExp(`(?:^|;\\s*)${OFFLINE_KEY_COOKIE}=([^;]+)`).exec(document.cookie)?.[1] ?? null;
}

/** Returns whether this page can read the key. On other pages the key could only be overwritten. */
const canReadKey = () => `${location.pathname}/`.startsWith(`${OFFLINE_KEY_PATH}/`);

/** Returns the current key or a new one, and extends it to a week from now. */
function renewKey(): string {
  const key = readKey() ?? encodeURIComponent(toBase64(crypto.getRandomValues(new Uint8Array(32))));
  document.cookie = `${OFFLINE_KEY_COOKIE}=${key}; Path=${OFFLINE_KEY_PATH}; Max-Age=${KEY_LIFETIME_SECONDS}; SameSite=Strict; Secure`;
  return key;
}

/** Ends when the last write has ended. */
let lastWrite: Promise<unknown> = Promise.resolve();

/** Runs writes in the order of the calls. Encrypting takes time, so a later delete could overtake a write. */
function inOrder<T>(write: () => Promise<T>): Promise<T | null> {
  const done = lastWrite.then(() => resultOrNull(write));
  lastWrite = done;
  return done;
}

const importCryptoKey = (text: string) =>
  crypto.subtle.importKey("raw", fromBase64(decodeURIComponent(text)), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);

/**
 * Encrypts data, stores it under a name and replaces earlier data. Stores nothing on a page outside OFFLINE_KEY_PATH.
 * @returns whether the data is stored under the device's current key
 */
export async function storeEncrypted(name: string, data: unknown): Promise<boolean> {
  const isDone = await inOrder(async () => {
    if (!canReadKey()) return false;
    let key: string | null = renewKey();
    // Retry once if another window created a key at the same time and set its cookie last.
    for (let tries = 0; key !== null && tries < 2; tries += 1) {
      await encryptAndStore(key, name, data);
      const now = readKey();
      if (now === key) return true;
      key = now;
    }
    // The user signed out during the write, or the browser blocks cookies. The data could never be decrypted, so
    // delete it. Keep it if the user only went to a page that cannot read the key.
    if (canReadKey()) await del(name, store());
    return false;
  });
  return isDone ?? false;
}

async function encryptAndStore(key: string, name: string, data: unknown): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plain = new TextEncoder().encode(JSON.stringify(data));
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await importCryptoKey(key), plain);
  await set(name, { iv, bytes } satisfies Encrypted, store());
}

async function decryptJson<T>(key: string, { iv, bytes }: Encrypted): Promise<T> {
  const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await importCryptoKey(key), bytes);
  return JSON.parse(new TextDecoder().decode(plain)) as T;
}

/** Returns the data under a name. Deletes data that the key cannot decrypt. */
async function readOrDelete<T>(key: string, name: string): Promise<T[]> {
  const encrypted = await get<Encrypted>(name, store());
  if (!encrypted) return [];
  try {
    return [await decryptJson<T>(key, encrypted)];
  } catch {
    await deleteEncrypted(name);
    return [];
  }
}

/**
 * Returns the data under matching names, in order of the names. Without a key, deletes all encrypted data and returns
 * an empty list.
 */
async function readMatching<T>(isWanted: (name: string) => boolean): Promise<T[]> {
  if (!canReadKey()) return [];
  const key = readKey();
  if (key === null) {
    await clearEncryptedStore();
    return [];
  }
  const found = await resultOrNull(async () => {
    const names = (await keys<string>(store())).filter(isWanted).toSorted();
    return (await Promise.all(names.map((name) => readOrDelete<T>(key, name)))).flat();
  });
  return found ?? [];
}

/** Returns the data under a name; null if there is none or the key is gone. */
export async function readEncrypted<T>(name: string): Promise<T | null> {
  const [data] = await readMatching<T>((other) => other === name);
  return data ?? null;
}

/** Returns all data under names with this prefix, in order of the names. */
export function readAllEncrypted<T>(prefix: string): Promise<T[]> {
  return readMatching<T>((name) => name.startsWith(prefix));
}

/** Returns the stored names with this prefix. Works on any page of the site. */
export async function listEncryptedNames(prefix: string): Promise<string[]> {
  const names = await resultOrNull(() => keys<string>(store()));
  return names?.filter((name) => name.startsWith(prefix)) ?? [];
}

/** Deletes the data under a name, after earlier writes. */
export const deleteEncrypted = (name: string): Promise<void | null> => inOrder(() => del(name, store()));
