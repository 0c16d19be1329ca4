/** Reads the keys of Web Push from a secret. */
/** Our half of RFC 8292: the public key that browsers subscribe with, and the private one that signs. */
export type PushKeys = { publicKey: string; privateKey: string };

/** An uncompressed point of P-256 and a number of 32 bytes, base64url. */
const KEYS = /^(B[\w-]{86})\.([\w-]{43})$/;

/** Reads `public.private`; null when the text is no such pair. */
export function readPushKeys(text: string): PushKeys | null {
  const [, publicKey, privateKey] = KEYS.exec(text) ?? [];
  return publicKey && privateKey ? { publicKey, privateKey } : null;
}
