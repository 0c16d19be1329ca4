export async function keyOf(secret: string, usages: ("sign" | "verify")[]): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, usages);
}

/** A keyed hash of a text: equal texts can be found, the text cannot be read. */
export async function keyedHash(secret: string, text: string): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", await keyOf(secret, ["sign"]), new TextEncoder().encode(text));
  return Buffer.from(mac).toString("base64url");
}
