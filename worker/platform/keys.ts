import { createHmac } from "node:crypto";

/** Encryption keys with their ids, each 256 bits in base64. The first key encrypts. All keys decrypt. */
export type KeyRing = readonly { id: string; key: string }[];

/**
 * Reads the secret BANK_DETAILS_KEYS.
 * @param text comma-separated `id:key` pairs, the current one first; keys are 32 bytes in base64
 * @returns null when the text is malformed or an id occurs twice
 */
export function readKeyRing(text: string): KeyRing | null {
  const ring = text.split(",").map((pair) => {
    const [id = "", key = ""] = pair.trim().split(":");
    return { id, key };
  });
  const isSound = ring.every(
    ({ id, key }) => /^[\w-]{1,40}$/.test(id) && Buffer.from(key, "base64").byteLength === 32,
  );
  return isSound && new Set(ring.map(({ id }) => id)).size === ring.length ? ring : null;
}

/** The VAPID keys (RFC 8292). Browsers subscribe with the public key. The Worker signs with the private key. */
type PushKeys = { publicKey: string; privateKey: string };

/** An uncompressed P-256 point and a 32-byte number, both base64url. */
const KEYS = /^(B[\w-]{86})\.([\w-]{43})$/;

/** Reads `public.private`. Returns null when the text is malformed. */
export function readPushKeys(text: string): PushKeys | null {
  const [, publicKey, privateKey] = KEYS.exec(text) ?? [];
  return publicKey && privateKey ? { publicKey, privateKey } : null;
}

/**
 * Returns an HMAC-SHA-256 of a text in base64url. Equal texts have equal hashes. Without the secret, no one can recover
 * the text.
 */
export function keyedHash(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

/**
 * Returns a short keyed hash of a text's parts. It finds a row again without storing the text.
 * @param secret the operator's secret. Without one, the hash protects only against a casual reader.
 */
export function shortKeyedHash(secret: string | null, ...parts: string[]): string {
  return keyedHash(secret ?? "naturestrip", parts.join("\n")).slice(0, 22);
}
