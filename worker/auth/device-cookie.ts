/** The cookie by which a browser is known where its person signed in. */
import { DAY_MS } from "../../contract/durations.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

import type { UserRow } from "../platform/session.ts";

/** A device is known for so long after it last signed in. */
export const DEVICE_MS = 180 * DAY_MS;

export type Owner = Pick<UserRow, "id" | "passwordHash">;

/**
 * Proves that a device signed in to an account. The key is the account's stored password hash: it is
 * secret, there for every account, and another one as soon as the password changes, so that no key has to
 * be set up or rotated, and a new password makes every device a stranger.
 */
function proofOf({ id, passwordHash }: Owner, deviceId: string, issuedAt: string): string {
  const mac = createHmac("sha256", passwordHash).update(["device", id, deviceId, issuedAt].join("\n"));
  return mac.digest("base64url").slice(0, 22);
}

const ENTRY = /^user_[0-9a-z]{8,40}\.[\w-]{16,40}\.[0-9a-z]{8,10}\.[\w-]{22}$/;

/** A browser is known to so many accounts at most: the three that signed in last. */
const ACCOUNTS = 3;

function entriesOf(cookie: string | null): string[] {
  return (cookie ?? "")
    .slice(0, 1_000)
    .split("~")
    .filter((entry) => ENTRY.test(entry));
}

/**
 * The device cookie after a sign-in: a new entry for this account, those of others kept.
 * @param cookie what the browser brought
 * @param deviceId a new random one
 */
export function deviceCookie(cookie: string | null, user: Owner, deviceId: string, now: number): string {
  const issuedAt = now.toString(36);
  const entry = [user.id, deviceId, issuedAt, proofOf(user, deviceId, issuedAt)].join(".");
  const others = entriesOf(cookie).filter((other) => !other.startsWith(`${user.id}.`));
  return [entry, ...others].slice(0, ACCOUNTS).join("~");
}

/**
 * Who signed in last on this browser, or null: as it says itself, and proven by nothing.
 * @param cookie what the browser brought
 */
export function lastPerson(cookie: string | null): string | null {
  return entriesOf(cookie)[0]?.split(".", 1)[0] ?? null;
}

/** The device's id, when its cookie proves that it signed in to this account lately; else null. */
export function knownDevice(cookie: string | null, user: Owner, now: number): string | null {
  const entry = entriesOf(cookie).find((other) => other.startsWith(`${user.id}.`));
  // Nobody signs in to an account without a hash, and an empty key is no key.
  if (!entry || !user.passwordHash) return null;
  const [, deviceId = "", issuedAt = "", proof = ""] = entry.split(".");
  const age = now - Number.parseInt(issuedAt, 36);
  if (!(age >= 0 && age < DEVICE_MS)) return null;
  const expected = Buffer.from(proofOf(user, deviceId, issuedAt));
  return timingSafeEqual(expected, Buffer.from(proof)) ? deviceId : null;
}
