/** Secrets in a cookie or a link. D1 stores only their hashes. */
import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits as URL-safe text. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Maximum cached hashes. If every token has the maximum length, they take about 1 MB. */
const MAX_CACHED_HASHES = 5_000;
/** Maximum length of a cached token. Longer text is not our token and could fill the isolate's memory. */
const MAX_CACHED_LENGTH = 64;

/** Hashes of the session tokens that this isolate has received, both valid and invalid. */
const hashes = new Map<string, string>();

/** Returns a session token's hash. Caches recent hashes in this isolate; evicts the oldest when full. */
export function hashSessionToken(token: string): string {
  const known = hashes.get(token);
  if (known !== undefined) return known;
  const hash = hashToken(token);
  if (token.length > MAX_CACHED_LENGTH) return hash;
  if (hashes.size >= MAX_CACHED_HASHES) hashes.delete(hashes.keys().next().value!);
  hashes.set(token, hash);
  return hash;
}
