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
 */
export async function keepSealed(name: string, kept: unknown): Promise<void> {
  if (!seesKey()) return;
  await orNull(async () => {
    const key = await keyOf(renewKey());
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(JSON.stringify(kept));
    const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, plain);
    await set(name, { iv, bytes } satisfies Sealed, store());
  });
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

/** How many things are kept under names that begin with `prefix`; any page of the site may count them. */
export async function countSealed(prefix: string): Promise<number> {
  const names = await orNull(() => keys<string>(store()));
  return names?.filter((name) => name.startsWith(prefix)).length ?? 0;
}

/** Wipes what is kept under a name. */
export async function dropSealed(name: string): Promise<void> {
  await orNull(() => del(name, store()));
}
