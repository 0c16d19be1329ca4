/** A form's start time as a signed token. Pages are cached for all visitors and cannot carry a timestamp. */
import { timingSafeEqual } from "node:crypto";

import { DAY_MS } from "../../../contract/durations.ts";
import { keyedHash } from "../../platform/keys.ts";

/** Lifetime of a start. A form that is open for longer counts as unsigned. */
export const START_LIFETIME_MS = DAY_MS;

/** A signed start: the time, a nonce that makes it single-use, and our signature over both. */
const TOKEN = /^([0-9a-z]{8,10})\.([0-9a-f]{32})\.([\w-]{43})$/;

export type Start = {
  /** Epoch milliseconds. */
  at: number;
  /** Unique for each start. */
  nonce: string;
};

/** Returns the signature. The prefix separates it from other uses of the same key. */
const sign = (secret: string, at: string, nonce: string) => keyedHash(secret, `form-start ${at} ${nonce}`);

/** Signs a form's start. @param now epoch milliseconds */
export function signStart(secret: string, now: number): string {
  const at = now.toString(36);
  const nonce = crypto.randomUUID().replaceAll("-", "");
  return `${at}.${nonce}.${sign(secret, at, nonce)}`;
}

/** Verifies the start token sent with a request. @returns null for a missing, forged or expired start */
export function readStart(secret: string, token: string | null | undefined, now: number): Start | null {
  const [, at, nonce, mac] = TOKEN.exec(token ?? "") ?? [];
  if (!at || !nonce || !mac) return null;
  const startedAt = parseInt(at, 36);
  const isOurs = timingSafeEqual(Buffer.from(sign(secret, at, nonce)), Buffer.from(mac));
  return isOurs && now - startedAt <= START_LIFETIME_MS ? { at: startedAt, nonce } : null;
}
