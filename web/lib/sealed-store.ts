/**
 * One thing kept on this device for times without a connection, sealed; the key lies in a cookie that ends with
 * the session (contract/offline.ts).
 */
import { clear, createStore, get, set, type UseStore } from "idb-keyval";

import { CLEAR_OFFLINE_KEY, OFFLINE_KEY_COOKIE, OFFLINE_KEY_PATH } from "../../contract/offline.ts";

type Sealed = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };

/** Whoever was not here for a week begins with a connection. */
const KEPT_SECONDS = 7 * 24 * 3600;
const NAME = "sealed";

let opened: UseStore | undefined;
function store(): UseStore {
  opened ??= createStore("naturestrip-offline", "kept");
  return opened;
}

/** A full storage, a forbidden one, or no https: then there is nothing without a connection, and no harm. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}

const toText = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const toBytes = (text: string) => Uint8Array.from(atob(text), (sign) => sign.codePointAt(0)!);

function readKey(): string | null {
  return new RegExp(`(?:^|;\\s*)${OFFLINE_KEY_COOKIE}=([^;]+)`).exec(document.cookie)?.[1] ?? null;
}

/** The present key or a new one; either lasts a week from now. */
function renewKey(): string {
  const key = readKey() ?? encodeURIComponent(toText(crypto.getRandomValues(new Uint8Array(32))));
  document.cookie = `${OFFLINE_KEY_COOKIE}=${key}; Path=${OFFLINE_KEY_PATH}; Max-Age=${KEPT_SECONDS}; SameSite=Strict; Secure`;
  return key;
}

const keyOf = (text: string) =>
  crypto.subtle.importKey("raw", toBytes(decodeURIComponent(text)), "AES-GCM", false, ["encrypt", "decrypt"]);

/** Keeps `kept`, which is plain data, in the place of what was kept before. */
export async function keepSealed(kept: unknown): Promise<void> {
  await orNull(async () => {
    const key = await keyOf(renewKey());
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(JSON.stringify(kept));
    const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, plain);
    await set(NAME, { iv, bytes } satisfies Sealed, store());
  });
}

/** What is kept; null when there is nothing, or its session has ended: then it is wiped. */
export async function readSealed<T>(): Promise<T | null> {
  const kept = await orNull(async () => {
    const [key, sealed] = [readKey(), await get<Sealed>(NAME, store())];
    if (key === null || !sealed) return null;
    const { iv, bytes } = sealed;
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await keyOf(key), bytes);
    return JSON.parse(new TextDecoder().decode(plain)) as T;
  });
  if (!kept) await forgetSealed();
  return kept;
}

/** Wipes what is kept; part of signing out. */
export async function forgetSealed(): Promise<void> {
  document.cookie = CLEAR_OFFLINE_KEY;
  await orNull(() => clear(store()));
}
