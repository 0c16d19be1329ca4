/** The VAPID keys (RFC 8292). Browsers subscribe with the public key. The Worker signs with the private key. */
export type PushKeys = { publicKey: string; privateKey: string };

/** An uncompressed P-256 point and a 32-byte number, both base64url. */
const KEYS = /^(B[\w-]{86})\.([\w-]{43})$/;

/** Reads `public.private`. Returns null when the text is malformed. */
export function readPushKeys(text: string): PushKeys | null {
  const [, publicKey, privateKey] = KEYS.exec(text) ?? [];
  return publicKey && privateKey ? { publicKey, privateKey } : null;
}
