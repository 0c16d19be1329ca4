/** Opt-outs from messages about requests: hashes of addresses and numbers, and signed links. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * Hashes an address that opted out of emails about requests, so that the list does not show addresses. The hash
 * survives an erasure, so the opt-out still applies.
 * @param email in any spelling
 */
export const addressHash = (email: string): string =>
  createHash("sha256").update(`email:${email.trim().toLowerCase()}`).digest("base64url");

/**
 * Hashes a number that opted out of texts, so that the list does not show numbers. Brute force could still reveal it.
 * The hash survives an erasure, so the opt-out still applies.
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
 * @param secret the deployment's key; null if it has none, then no token is valid
 * @returns the address's hash; null if we did not sign the token
 */
export function readStop(secret: string | null, token: string): string | null {
  const [, hash, mac] = TOKEN.exec(token) ?? [];
  if (secret === null || !hash || !mac) return null;
  return timingSafeEqual(macOf(secret, hash), Buffer.from(mac, "base64url")) ? hash : null;
}

/**
 * Returns the unsubscribe link for an address. Null if the deployment has no site host or no key. The email then asks
 * the recipient to contact us.
 */
export function stopLink(
  { siteUrl, originHashKey }: { siteUrl: string | null; originHashKey: string | null },
  email: string,
): string | null {
  if (siteUrl === null || originHashKey === null) return null;
  return `${siteUrl}/stop-emails/${signStop(originHashKey, email)}`;
}
