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
