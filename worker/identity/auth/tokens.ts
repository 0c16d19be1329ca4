/** Secrets in a cookie or a link. D1 stores only their hashes. */
import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits as URL-safe text. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
