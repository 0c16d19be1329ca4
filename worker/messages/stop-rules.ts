/** How an address or number that opted out of messages about requests is stored, and how its link is signed. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * Hashes an address that opted out of emails about requests, so that the list does not show addresses. It is kept
 * after an erasure, because the opt-out is the recipient's own wish.
 * @param email in any spelling
 */
export const addressHash = (email: string): string =>
  createHash("sha256").update(`email:${email.trim().toLowerCase()}`).digest("base64url");

/**
 * Hashes the number of a recipient who opted out of texts, so that the list does not show numbers. Trying all numbers
 * would still find it. It is kept after an erasure, because the opt-out is the recipient's own wish.
 */
export const numberHash = (number: string) =>
  createHash("sha256").update(`text:${number}`).digest("base64url");

/** Signs a hash. The prefix separates it from other uses of the same key. */
const macOf = (secret: string, hash: string) =>
  createHmac("sha256", secret).update(`stop-emails ${hash}`).digest();

/** Returns the token of an unsubscribe link. It contains no address, and only this deployment can create it. */
export function signStop(secret: string, email: string): string {
  const hash = addressHash(email);
  return `${hash}.${macOf(secret, hash).toString("base64url")}`;
}

const TOKEN = /^([\w-]{43})\.([\w-]{43})$/;

/**
 * Verifies the token of a link.
 * @param secret the deployment's key; null if it has none, and no token is valid
 * @returns the address's hash; null if we did not sign it
 */
export function readStop(secret: string | null, token: string): string | null {
  const [, hash, mac] = TOKEN.exec(token) ?? [];
  if (secret === null || !hash || !mac) return null;
  return timingSafeEqual(macOf(secret, hash), Buffer.from(mac, "base64url")) ? hash : null;
}

/**
 * Returns the unsubscribe link for an address. Null if the deployment has no host of its own or no key: the email then
 * says whom to contact.
 */
export function stopLink(
  { siteHost, originHashKey }: { siteHost: string | null; originHashKey: string | null },
  email: string,
): string | null {
  if (siteHost === null || originHashKey === null) return null;
  return `https://${siteHost}/stop-emails/${signStop(originHashKey, email)}`;
}
