import { DAY_MS } from "../../../contract/durations.ts";
import { keyOf } from "../../platform/keyed-hash.ts";

/** A form's start time as a signed token. Pages are cached for all visitors and cannot carry a timestamp. */

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

/** Returns the signed bytes. The prefix separates them from other uses of the same key. */
function signed(at: string, nonce: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`form-start ${at} ${nonce}`);
}

/**
 * Signs a form's start.
 * @param now epoch milliseconds
 */
export async function signStart(secret: string, now: number): Promise<string> {
  const at = now.toString(36);
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const mac = await crypto.subtle.sign("HMAC", await keyOf(secret, ["sign"]), signed(at, nonce));
  return `${at}.${nonce}.${Buffer.from(mac).toString("base64url")}`;
}

/**
 * Verifies the start token sent with a request.
 * @returns null for a missing, forged or expired start
 */
export async function readStart(
  secret: string,
  token: string | null | undefined,
  now: number,
): Promise<Start | null> {
  const [, at, nonce, mac] = TOKEN.exec(token ?? "") ?? [];
  if (!at || !nonce || !mac) return null;
  const key = await keyOf(secret, ["verify"]);
  const isOurs = await crypto.subtle.verify("HMAC", key, Buffer.from(mac, "base64url"), signed(at, nonce));
  const startedAt = parseInt(at, 36);
  if (!isOurs || now - startedAt > START_LIFETIME_MS) return null;
  return { at: startedAt, nonce };
}
