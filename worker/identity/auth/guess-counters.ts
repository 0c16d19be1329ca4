/**
 * Slows down password guessing without locking out any user (decision 17). Counts failures per place. Failures from
 * unknown places never count against a place that the account knows.
 */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../contract/durations.ts";
import { createHmac } from "node:crypto";
import type { NetworkPrefixes } from "../../platform/network.ts";
import type { UserRow } from "../../platform/session.ts";

/** A failure counter expires after this long without a failure. */
export const COUNTER_LIFETIME_MS = DAY_MS;

/** A network stays known for this long after its last sign-in. */
export const KNOWN_NETWORK_MS = 90 * DAY_MS;

/** The first delay. Each further failure doubles it. */
export const FIRST_WAIT_MS = SECOND_MS;

/**
 * Maximum attempts at one account from unknown places: this many at once, then one per interval. At most 2,880 a day.
 */
export const BUDGET_BURST = 720;
export const BUDGET_INTERVAL_MS = 40 * SECOND_MS;

/** A refused network that retries within this window has priority over new networks. */
export const RETRY_FROM_MS = 5 * SECOND_MS;
export const RETRY_UNTIL_MS = MINUTE_MS;

/** Maximum wait that a refusal states. If the attack stops, the budget may be free sooner. */
export const MAX_BUDGET_WAIT_MS = 5 * MINUTE_MS;

/** Failures at one account from one /64 without a delay. A /56 has twice as many, a /48 four times. */
export const FREE_TRIES = 5;

/** A counter of failed attempts. */
export type Counter = {
  key: string;
  /** Failures without a delay. */
  freeTries: number;
  longestMs: number;
  /**
   * Whether the counter belongs to one account and one place. A correct password clears such a counter. On a shared
   * counter, it removes only its own attempt.
   */
  isOwn: boolean;
};

/** The budget that all unknown places share at an account. */
export type Budget = {
  key: string;
  /** The key of the row that records when this network was last refused. */
  waitingKey: string;
};

/** The counters of an attempt. `sharedBudget` is null at a known place. */
export type Counters = { all: Counter[]; sharedBudget: Budget | null };

/**
 * Returns a keyed hash of a counter's parts. It finds the row again, but does not reveal a name or address.
 * @param secret the operator's secret, if set
 */
export function counterKey(secret: string | null, ...parts: string[]): string {
  return createHmac("sha256", secret ?? "naturestrip")
    .update(parts.join("\n"))
    .digest("base64url")
    .slice(0, 22);
}

/** Returns the distinct networks around a caller, each with its multiple of the free attempts of a /64. */
function networksOf({ by64, by56, by48 }: NetworkPrefixes): [network: string, times: number][] {
  // An IPv4 address has the same value for all three. It counts as a household.
  return [
    ...new Map([
      [by48, 4],
      [by56, 2],
      [by64, 1],
    ]),
  ] as [string, number][];
}

/**
 * Returns the counters for a password attempt. An attempt from a known device or network counts only for that place. An
 * attempt from an unknown place counts for its networks at this account, for its networks across all accounts, and for
 * the account's shared budget.
 * @param tried the account's id, or the typed name if there is no such account, and the attempt's origin
 */
export function countersOf(
  tried: { account: string; prefixes: NetworkPrefixes; deviceId: string | null; isKnownNetwork: boolean },
  secret: string | null,
): Counters {
  const { account, prefixes, deviceId, isKnownNetwork } = tried;
  const place = (kind: string, name: string, times = 1): Counter => ({
    key: counterKey(secret, "place", account, kind, name),
    freeTries: FREE_TRIES * times,
    longestMs: 15 * MINUTE_MS,
    isOwn: true,
  });
  if (deviceId !== null) return { all: [place("device", deviceId)], sharedBudget: null };
  if (isKnownNetwork) return { all: [place("network", prefixes.by64)], sharedBudget: null };
  const networks = networksOf(prefixes);
  const neighbours = networks.map(([network, times]) => ({
    key: counterKey(secret, "network", network),
    freeTries: 20 * times,
    longestMs: MINUTE_MS,
    isOwn: false,
  }));
  return {
    all: [...networks.map(([network, times]) => place("network", network, times)), ...neighbours],
    sharedBudget: {
      key: counterKey(secret, "account", account),
      waitingKey: counterKey(secret, "waiting", account, prefixes.by48),
    },
  };
}

/**
 * Returns the key of a network for an account. The key includes the password hash, so a new password makes every
 * network unknown.
 */
export function networkKey(
  user: Pick<UserRow, "id" | "passwordHash">,
  network: string,
  secret: string | null,
): string {
  return counterKey(secret, "known", user.id, user.passwordHash, network);
}

/** Returns the message about how long to wait. @param hasLink Whether to offer a password link */
export function formatWait(seconds: number, hasLink: boolean): string {
  const [count, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  const wait = `Too many wrong passwords. Please try again in ${count} ${unit}${count === 1 ? "" : "s"}`;
  return hasLink ? `${wait}, or choose "Forgot password?" for a link by email.` : `${wait}.`;
}
