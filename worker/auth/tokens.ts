/** Secrets that a browser or a link carries; only their hashes are stored. */
import { createHash, randomBytes } from "node:crypto";

/** A new session token: 256 random bits as URL-safe text. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a session token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
