import { DAY_MS } from "../../../contract/durations.ts";
import { keyOf } from "../../platform/keyed-hash.ts";

/** When a form was begun, in words that only we can have written: shared pages carry no time of their own. */

/** A form left open for longer than this is as good as one without a time. */
export const START_LIFETIME_MS = DAY_MS;

/** A signed start: when, a name of its own so that it can be used up, and our signature over both. */
const TOKEN = /^([0-9a-z]{8,10})\.([0-9a-f]{32})\.([\w-]{43})$/;

export type Start = {
  /** Epoch milliseconds. */
  at: number;
  /** Names this start and no other. */
  nonce: string;
};

/** What is signed; the word in front keeps it apart from whatever else the same key hashes. */
function signed(at: string, nonce: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`form-start ${at} ${nonce}`);
}

/**
 * Signs that a form is begun now.
 * @param now epoch milliseconds
 */
export async function signStart(secret: string, now: number): Promise<string> {
  const at = now.toString(36);
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const mac = await crypto.subtle.sign("HMAC", await keyOf(secret, ["sign"]), signed(at, nonce));
  return `${at}.${nonce}.${Buffer.from(mac).toString("base64url")}`;
}

/**
 * Reads a start that came back with a request.
 * @returns null when there is none, when we did not write it, or when it is too old to say anything
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
