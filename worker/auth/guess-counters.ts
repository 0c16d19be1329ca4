/**
 * How guessing at passwords is slowed down without locking anybody out (decision 17). Failures are counted
 * where they were made, and a stranger's never count against a place the account is known at.
 */
import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

import type { UserRow } from "./rules.ts";

const SECOND_MS = 1_000;

/** A row of failures that has been quiet for so long is forgotten. */
export const FORGET_MS = DAY_MS;

/** A device is known for so long after it last signed in. */
export const DEVICE_MS = 180 * DAY_MS;

/** A network is known for so long after somebody last signed in from it. */
export const NETWORK_MS = 90 * DAY_MS;

/** The first wait; each further failure doubles it. */
export const FIRST_WAIT_MS = SECOND_MS;

/** The person is told once strangers have failed so often. */
export const TELL_AT = 10;

/** Something failures are counted for. */
export type Counter = {
  key: string;
  /** So many failures cost no wait. */
  freeTries: number;
  /** No wait is longer. */
  longestMs: number;
  /** It is one person's alone: a right password clears it. On others it only takes its own try back. */
  isOwn: boolean;
};

/** What a try is counted for; `strangers` is the account's own among them, null where it is known. */
export type Counters = { all: Counter[]; strangers: Counter | null };

/**
 * A keyed hash of what is counted: rows can be found again and tell nobody's name or address.
 * @param secret the operator's, if there is one
 */
export function counterKey(secret: string | null, ...parts: string[]): string {
  return createHmac("sha256", secret ?? "naturestrip")
    .update(parts.join("\n"))
    .digest("base64url")
    .slice(0, 22);
}

/**
 * What a try at an account's password is counted for. On a known device or in a known network it is that
 * place alone; a stranger's try counts for this network at this account, for all strangers at this
 * account, and for all tries of strangers from this network.
 * @param tried the account's id, or the name when nobody has it; the place it comes from
 */
export function countersOf(
  tried: { account: string; network: string; deviceId: string | null; isKnownNetwork: boolean },
  secret: string | null,
): Counters {
  const { account, network, deviceId, isKnownNetwork } = tried;
  const place = deviceId === null ? ["network", network] : ["device", deviceId];
  const own: Counter = {
    key: counterKey(secret, "place", account, ...place),
    freeTries: 5,
    longestMs: 15 * MINUTE_MS,
    isOwn: true,
  };
  if (deviceId !== null || isKnownNetwork) return { all: [own], strangers: null };
  const strangers: Counter = {
    key: counterKey(secret, "account", account),
    freeTries: 20,
    longestMs: 30 * SECOND_MS,
    isOwn: false,
  };
  const neighbours: Counter = {
    key: counterKey(secret, "network", network),
    freeTries: 20,
    longestMs: MINUTE_MS,
    isOwn: false,
  };
  return { all: [own, strangers, neighbours], strangers };
}

/**
 * A network as an account knows it. Their password's hash is part of the key: whoever signed in with an
 * older password is a stranger again.
 */
export function networkKey(
  user: Pick<UserRow, "id" | "passwordHash">,
  network: string,
  secret: string | null,
): string {
  return counterKey(secret, "known", user.id, user.passwordHash, network);
}

/** How long to wait, in words. */
export function formatWait(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `Too many wrong passwords. Please try again in ${count} ${unit}${count === 1 ? "" : "s"}.`;
}

type Owner = Pick<UserRow, "id" | "passwordHash">;

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

/** What the person is told when strangers have failed often. */
export const GUESSING_NOTICE = {
  subject: "Somebody is guessing your password",
  what: [
    `Somebody has tried at least ${TELL_AT} wrong passwords on your Naturestrip account, from places you have not signed in from. None of them was right.`,
    "You are not locked out: on your own devices and in your usual network you sign in as before. Somewhere new you may have to wait for up to half a minute.",
    "A long password that you use nowhere else keeps guessers out. You choose one in Settings.",
  ].join("\n\n"),
};
