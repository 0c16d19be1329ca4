import { MINUTE_MS } from "../../../contract/durations.ts";
import { TryLater } from "../errors.ts";
import { MORE_FOR_48, MORE_FOR_56, type NetworkPrefixes } from "../network.ts";

/** The limits in wrangler.toml are per minute. */
const WINDOW_MS = MINUTE_MS;

/**
 * Counts one attempt against a limit from wrangler.toml.
 * @param key the caller's network or an account, never an address
 * @throws TryLater too_many_requests
 */
export async function countTry(limit: RateLimit, key: string): Promise<void> {
  const { success } = await limit.limit({ key });
  if (success) return;
  const words = "Too many attempts. Please wait a minute and try again.";
  throw new TryLater("too_many_requests", words, WINDOW_MS / 1000);
}

/**
 * Picks one of a wider network's counters. A binding has one limit for all keys, so a higher limit needs several
 * counters.
 */
const pickCounter = (network: string, counters: number) =>
  `${network} ${Math.floor(Math.random() * counters)}`;

/**
 * Counts one attempt from a network against a limit from wrangler.toml. Counts IPv6 by /64, /56 and /48.
 * @throws TryLater too_many_requests
 */
export async function countNetworkAttempt(
  limit: RateLimit,
  { by64, by56, by48 }: NetworkPrefixes,
): Promise<void> {
  await countTry(limit, by64);
  if (by64 === by48) return;
  await countTry(limit, pickCounter(by56, MORE_FOR_56));
  await countTry(limit, pickCounter(by48, MORE_FOR_48));
}

/** Attempts per minute before the first check of the platform's limit. No buyer needs this many. */
const LOCAL_ATTEMPTS = 10;
const MAX_WINDOWS = 5_000;

const windows = new Map<string, { endsAt: number; tries: number }>();

/** Counts an attempt. Returns the number of attempts that this isolate has counted in the current minute. */
function countInWindow(key: string, now: number): number {
  const known = windows.get(key);
  if (known && now < known.endsAt) return ++known.tries;
  // Re-insert, so that the oldest window is always the first entry.
  windows.delete(key);
  windows.set(key, { endsAt: now + WINDOW_MS, tries: 1 });
  if (windows.size > MAX_WINDOWS) windows.delete(windows.keys().next().value!);
  return 1;
}

/**
 * Like `countTry`, for calls in which 10 ms matter. Skips the platform's check for the first ten attempts in a minute.
 * Isolates share no memory, so each additional isolate allows ten more.
 * @throws TryLater too_many_requests
 */
export async function countFastAttempt(limit: RateLimit, key: string, now: number): Promise<void> {
  if (countInWindow(key, now) > LOCAL_ATTEMPTS) await countTry(limit, key);
}
