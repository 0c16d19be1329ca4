/** Keys and addresses of Web Push, without I/O. */
/** The push services of the known browsers: Chrome and its family, Firefox, Edge on Windows, Safari. */
const PUSH_SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^(updates\.)?push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
  /^web\.push\.apple\.com$/,
];

/** Browsers in tests subscribe under this host. Calls to it go to PUSH_STAND_IN. */
export const STAND_IN_HOST = "push.naturestrip.test";

/**
 * Returns the address to call for a device's endpoint. The client chose the endpoint, so it may be any address. Only
 * known push services are called, over https and at their usual port.
 * @param standIn where calls to the stand-in's host go; null if there is none
 * @returns null for an address that is never called
 */
export function pushAddress(endpoint: string, standIn: string | null): URL | null {
  const url = URL.parse(endpoint);
  if (!url || url.protocol !== "https:" || url.port || url.username || url.password) return null;
  if (standIn && url.hostname === STAND_IN_HOST) {
    const address = new URL(standIn);
    // Assigned, not resolved: a path such as `//host/path` would name another host.
    address.pathname = url.pathname;
    return address;
  }
  return PUSH_SERVICES.some((service) => service.test(url.hostname)) ? url : null;
}

const FIRST_RETRY_MS = 15_000;
const SLOWEST_RETRY_MS = 5 * 60_000;

/** Returns the backoff after this many attempts, in ms. Jitter keeps many messages from retrying at once. */
export function retryAfter(attempts: number, random = Math.random()): number {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), SLOWEST_RETRY_MS);
  return Math.round(wait * (0.75 + random / 2));
}

const LEAST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** Returns the wait that a Retry-After header asks for, in ms, within limits; null if it is missing or unreadable. */
export function askedWait(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, LEAST_WAIT_MS), LONGEST_WAIT_MS);
}
