export async function keyOf(secret: string, usages: ("sign" | "verify")[]): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, usages);
}

/**
 * Returns an HMAC-SHA-256 of a text in base64url. Equal texts have equal hashes. Without the secret, no one can recover
 * the text.
 */
export async function keyedHash(secret: string, text: string): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", await keyOf(secret, ["sign"]), new TextEncoder().encode(text));
  return Buffer.from(mac).toString("base64url");
}
