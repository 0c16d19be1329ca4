/**
 * How guessing at passwords is slowed down without locking anybody out (decision 17). Failures are counted
 * where they were made, and a stranger's never count against a place the account is known at.
 */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../contract/durations.ts";
import { createHmac } from "node:crypto";
import type { UserRow } from "../platform/session.ts";

/** A row of failures that has been quiet for so long is forgotten. */
export const FORGET_MS = DAY_MS;

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
