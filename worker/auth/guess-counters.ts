/**
 * Slows down password guessing without locking out any user (decision 17). Failures are counted per place.
 * Failures from unknown places never count against a place that the account knows.
 */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../contract/durations.ts";
import { createHmac } from "node:crypto";
import type { UserRow } from "../platform/session.ts";

/** A failure counter expires after this long without a failure. */
export const FORGET_MS = DAY_MS;

/** A network stays known for this long after its last sign-in. */
export const NETWORK_MS = 90 * DAY_MS;

/** The first wait; each further failure doubles it. */
export const FIRST_WAIT_MS = SECOND_MS;

/** Failures from unknown places before the user is notified. */
export const TELL_AT = 10;

/** A counter of failed attempts. */
export type Counter = {
  key: string;
  /** Failures that cause no wait. */
  freeTries: number;
  longestMs: number;
  /**
   * True if only one account uses this counter from one place. A right password clears it. On a shared counter,
   * a right password only removes its own attempt.
   */
  isOwn: boolean;
};

/** The counters of an attempt. `strangers` is the account's counter for unknown places; null at a known place. */
export type Counters = { all: Counter[]; strangers: Counter | null };

/**
 * Returns a keyed hash of the counted parts. Rows can be found again but reveal no name or address.
 * @param secret the operator's secret, if one is set
 */
export function counterKey(secret: string | null, ...parts: string[]): string {
  return createHmac("sha256", secret ?? "naturestrip")
    .update(parts.join("\n"))
    .digest("base64url")
    .slice(0, 22);
}

/**
 * Returns the counters for a password attempt. An attempt from a known device or network counts only for that
 * place. An attempt from an unknown place has three counters: this network at this account, all unknown places
 * at this account, and all unknown attempts from this network.
 * @param tried the account's id, or the typed name if no account has it; and where the attempt comes from
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
 * Returns the key of a network for an account. It includes the password hash, so a network known under an older
 * password becomes unknown.
 */
export function networkKey(
  user: Pick<UserRow, "id" | "passwordHash">,
  network: string,
  secret: string | null,
): string {
  return counterKey(secret, "known", user.id, user.passwordHash, network);
}

export function formatWait(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `Too many wrong passwords. Please try again in ${count} ${unit}${count === 1 ? "" : "s"}.`;
}
