import { createHmac } from "node:crypto";

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
