import { createHmac } from "node:crypto";

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

/**
 * Returns a short keyed hash of a text's parts. It finds a row again without storing the text.
 * @param secret the operator's secret. Without one, the hash protects only against a casual reader.
 */
export function shortKeyedHash(secret: string | null, ...parts: string[]): string {
  return createHmac("sha256", secret ?? "naturestrip")
    .update(parts.join("\n"))
    .digest("base64url")
    .slice(0, 22);
}
