import { MINUTE_MS } from "../../contract/durations.ts";
import { TryLater } from "../errors.ts";
import { MORE_FOR_48, MORE_FOR_56, type NetworkPrefixes } from "../network.ts";

/** Limits in wrangler.toml count by the minute. */
const WINDOW_MS = MINUTE_MS;

/**
 * Counts one try against a limit from wrangler.toml.
 * @param key whose tries are counted: a caller's network or an account, never an address
 * @throws TryLater too_many_requests
 */
export async function countTry(limit: RateLimit, key: string): Promise<void> {
  const { success } = await limit.limit({ key });
  if (success) return;
  const words = "Too many tries. Please wait a minute and try again.";
  throw new TryLater("too_many_requests", words, WINDOW_MS / 1000);
}

/** One of the counters that make up a wider network's limit: a binding has one limit for all its keys. */
const oneOf = (network: string, counters: number) => `${network} ${Math.floor(Math.random() * counters)}`;

/**
 * Counts one try of a network against a limit from wrangler.toml. IPv6 is counted by /64, /56 and /48.
 * @throws TryLater too_many_requests
 */
export async function countNetworkTry(
  limit: RateLimit,
  { by64, by56, by48 }: NetworkPrefixes,
): Promise<void> {
  await countTry(limit, by64);
  if (by64 === by48) return;
  await countTry(limit, oneOf(by56, MORE_FOR_56));
  await countTry(limit, oneOf(by48, MORE_FOR_48));
}

/** More than anybody buys in a minute: who stays below is never asked about. */
const UNASKED = 10;
const MOST_KEPT = 5_000;

const windows = new Map<string, { endsAt: number; tries: number }>();

/** Which try of its minute this is, as far as this isolate has seen. */
function tryOfWindow(key: string, now: number): number {
  const known = windows.get(key);
  if (known && now < known.endsAt) return ++known.tries;
  // Re-inserted, so that the first entry is always the one that began first.
  windows.delete(key);
  windows.set(key, { endsAt: now + WINDOW_MS, tries: 1 });
  if (windows.size > MOST_KEPT) windows.delete(windows.keys().next().value!);
  return 1;
}

/**
 * As `countTry`, for a call in which every hundredth of a second decides: the first ten tries of a
 * minute cost nothing, from then on the platform counts. Isolates share no memory: one more of them
 * lets ten more pass.
 * @throws TryLater too_many_requests
 */
export async function countQuickTry(limit: RateLimit, key: string, now: number): Promise<void> {
  if (tryOfWindow(key, now) > UNASKED) await countTry(limit, key);
}
