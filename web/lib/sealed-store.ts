/**
 * What is kept on this device for times without a connection, each thing under its name, sealed; the key lies in
 * a cookie that ends when its person signs out or somebody else signs in (contract/offline.ts).
 */
import { del, get, keys, set } from "idb-keyval";

import { OFFLINE_KEY_COOKIE, OFFLINE_KEY_PATH } from "../../contract/offline.ts";
import { forgetSealed, orNull, store } from "./forget-sealed.ts";

type Sealed = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };

/** Whoever was not here for a week begins with a connection. */
const KEPT_SECONDS = 7 * 24 * 3600;

const toText = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const toBytes = (text: string) => Uint8Array.from(atob(text), (sign) => sign.codePointAt(0)!);

function readKey(): string | null {
  return new RegExp(`(?:^|;\\s*)${OFFLINE_KEY_COOKIE}=([^;]+)`).exec(document.cookie)?.[1] ?? null;
}

/** Elsewhere the key cannot be read, but it could be overwritten. */
const seesKey = () => `${location.pathname}/`.startsWith(`${OFFLINE_KEY_PATH}/`);

/** The present key or a new one; either lasts a week from now. */
function renewKey(): string {
  const key = readKey() ?? encodeURIComponent(toText(crypto.getRandomValues(new Uint8Array(32))));
  document.cookie = `${OFFLINE_KEY_COOKIE}=${key}; Path=${OFFLINE_KEY_PATH}; Max-Age=${KEPT_SECONDS}; SameSite=Strict; Secure`;
  return key;
}

const keyOf = (text: string) =>
  crypto.subtle.importKey("raw", toBytes(decodeURIComponent(text)), "AES-GCM", false, ["encrypt", "decrypt"]);

/**
 * Keeps `kept`, which is plain data, in the place of what was kept before under this name. A page that is not below
 * OFFLINE_KEY_PATH keeps nothing.
 * @returns whether it is on the device now: written, and under the key that the device has
 */
export async function keepSealed(name: string, kept: unknown): Promise<boolean> {
  if (!seesKey()) return false;
  const isDone = await orNull(async () => {
    let key: string | null = renewKey();
    // Once more where another window made a key at the same moment, and its cookie came last.
    for (let tries = 0; key !== null && tries < 2; tries += 1) {
      await sealUnder(key, name, kept);
      const now = readKey();
      if (now === key) return true;
      key = now;
    }
    // Somebody signed out meanwhile, or the browser takes no cookies: it would never open again.
    await dropSealed(name);
    return false;
  });
  return isDone ?? false;
}

async function sealUnder(key: string, name: string, kept: unknown): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plain = new TextEncoder().encode(JSON.stringify(kept));
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(key), plain);
  await set(name, { iv, bytes } satisfies Sealed, store());
}

async function open<T>(key: string, { iv, bytes }: Sealed): Promise<T> {
  const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await keyOf(key), bytes);
  return JSON.parse(new TextDecoder().decode(plain)) as T;
}

/** What is kept under a name; what cannot be opened, and never will be, is wiped. */
async function openNamed<T>(key: string, name: string): Promise<T[]> {
  const sealed = await get<Sealed>(name, store());
  if (!sealed) return [];
  try {
    return [await open<T>(key, sealed)];
  } catch {
    await dropSealed(name);
    return [];
  }
}

/** What is kept under these names, in their order; nothing when the key is gone: then all of it is wiped. */
async function readNamed<T>(isWanted: (name: string) => boolean): Promise<T[]> {
  if (!seesKey()) return [];
  const key = readKey();
  if (key === null) {
    await forgetSealed();
    return [];
  }
  const found = await orNull(async () => {
    const names = (await keys<string>(store())).filter(isWanted).toSorted();
    return (await Promise.all(names.map((name) => openNamed<T>(key, name)))).flat();
  });
  return found ?? [];
}

/** What is kept under a name; null when there is nothing, or the key is gone. */
export async function readSealed<T>(name: string): Promise<T | null> {
  const [kept] = await readNamed<T>((other) => other === name);
  return kept ?? null;
}

/** Everything that is kept under names that begin with `prefix`, in the order of the names. */
export function readAllSealed<T>(prefix: string): Promise<T[]> {
  return readNamed<T>((name) => name.startsWith(prefix));
}

/** The names that begin with `prefix` of what is kept; any page of the site may list them. */
export async function sealedNames(prefix: string): Promise<string[]> {
  const names = await orNull(() => keys<string>(store()));
  return names?.filter((name) => name.startsWith(prefix)) ?? [];
}

const PROBE = "probe";

/** Whether this device keeps anything just now: not in every private window, nor on a full disk. Makes no key. */
export async function keepsAnything(): Promise<boolean> {
  const isDone = await orNull(async () => {
    await set(PROBE, true, store());
    await del(PROBE, store());
    return navigator.cookieEnabled;
  });
  return isDone ?? false;
}

/** Wipes what is kept under a name. */
export async function dropSealed(name: string): Promise<void> {
  await orNull(() => del(name, store()));
}
