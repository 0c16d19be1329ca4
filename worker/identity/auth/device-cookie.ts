/** The cookie that identifies a browser to accounts. */
import { DAY_MS } from "../../../contract/durations.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

import type { UserRow } from "../../platform/caller.ts";

/** A device stays known for this long after its last sign-in. */
export const DEVICE_MS = 180 * DAY_MS;

export type Owner = Pick<UserRow, "id" | "passwordHash">;

/**
 * Returns an HMAC that proves that a device signed in to an account. The key is the account's stored password hash, so
 * operators need not configure or rotate a key. A new password makes every device unknown.
 */
function proofOf({ id, passwordHash }: Owner, deviceId: string, issuedAt: string): string {
  const mac = createHmac("sha256", passwordHash).update(["device", id, deviceId, issuedAt].join("\n"));
  return mac.digest("base64url").slice(0, 22);
}

const ENTRY = /^user_[0-9a-z]{8,40}\.[\w-]{16,40}\.[0-9a-z]{8,10}\.[\w-]{22}$/;

/** Maximum accounts in a browser's cookie, most recent sign-in first. */
const MAX_ACCOUNTS = 3;

function entriesOf(cookie: string | null): string[] {
  return (cookie ?? "")
    .slice(0, 1_000)
    .split("~")
    .filter((entry) => ENTRY.test(entry));
}

/**
 * Returns the device cookie after a sign-in: a new entry for this account, followed by other accounts' entries.
 * @param cookie the cookie that the browser sent
 * @param deviceId a new random id
 */
export function deviceCookie(cookie: string | null, user: Owner, deviceId: string, now: number): string {
  const issuedAt = now.toString(36);
  const entry = [user.id, deviceId, issuedAt, proofOf(user, deviceId, issuedAt)].join(".");
  const others = entriesOf(cookie).filter((other) => !other.startsWith(`${user.id}.`));
  return [entry, ...others].slice(0, MAX_ACCOUNTS).join("~");
}

/** Returns the ids of the users who signed in on this browser, last sign-in first. The cookie is not verified. */
export const listUserIds = (cookie: string | null) =>
  entriesOf(cookie).map((entry) => entry.split(".", 1)[0]!);

/** Returns the device's id if its cookie proves a sign-in to this account within `DEVICE_MS`; null otherwise. */
export function findKnownDevice(cookie: string | null, user: Owner, now: number): string | null {
  const entry = entriesOf(cookie).find((other) => other.startsWith(`${user.id}.`));
  // An account without a hash cannot sign in, and an HMAC with an empty key proves nothing.
  if (!entry || !user.passwordHash) return null;
  const [, deviceId = "", issuedAt = "", proof = ""] = entry.split(".");
  const age = now - Number.parseInt(issuedAt, 36);
  if (!(age >= 0 && age < DEVICE_MS)) return null;
  const expected = Buffer.from(proofOf(user, deviceId, issuedAt));
  return timingSafeEqual(expected, Buffer.from(proof)) ? deviceId : null;
}
