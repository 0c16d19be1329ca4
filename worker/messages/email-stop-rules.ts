/** How an address that wants no more emails about requests is kept, and how the link to say so is signed. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * An address as it is kept of somebody who wants no more emails about requests: so that the list is no list of
 * addresses to whoever reads it. It is kept after an erasure too, for it is their own wish.
 * @param email as anybody may write it
 */
export const addressHash = (email: string): string =>
  createHash("sha256").update(`email:${email.trim().toLowerCase()}`).digest("base64url");

/** What is signed; the words in front keep it apart from whatever else the same key signs. */
const macOf = (secret: string, hash: string) =>
  createHmac("sha256", secret).update(`stop-emails ${hash}`).digest();

/** What a link to stop emails to an address ends with: no address, and nothing that anybody else could make. */
export function signStop(secret: string, email: string): string {
  const hash = addressHash(email);
  return `${hash}.${macOf(secret, hash).toString("base64url")}`;
}

const TOKEN = /^([\w-]{43})\.([\w-]{43})$/;

/**
 * Reads what a link ends with.
 * @param secret the deployment's; null where it has none, and no link is ours
 * @returns the address's hash; null when we did not write it
 */
export function readStop(secret: string | null, token: string): string | null {
  const [, hash, mac] = TOKEN.exec(token) ?? [];
  if (secret === null || !hash || !mac) return null;
  return timingSafeEqual(macOf(secret, hash), Buffer.from(mac, "base64url")) ? hash : null;
}

/**
 * The link for an address; null where the deployment has no host of its own, or nothing to sign with: then the email
 * says whom to tell.
 */
export function stopLink(
  { siteHost, originHashKey }: { siteHost: string | null; originHashKey: string | null },
  email: string,
): string | null {
  if (siteHost === null || originHashKey === null) return null;
  return `https://${siteHost}/stop-emails/${signStop(originHashKey, email)}`;
}
