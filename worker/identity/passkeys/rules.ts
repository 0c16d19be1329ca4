import { MINUTE_MS } from "../../../contract/durations.ts";
import { type ChallengePurpose, type PasskeyInfo } from "../../../contract/passkeys.ts";
import type { passkeys } from "../tables.ts";
import { LOOPBACK } from "../../platform/network.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** A challenge expires after this long. The user may have to find and unlock a phone. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

/** The second step expires this long after a correct password. */
export const SECOND_STEP_MS = 10 * MINUTE_MS;

/** Maximum tries per challenge. Only recovery codes are typed by hand. */
export const MAX_TRIES: Readonly<Record<ChallengePurpose, number>> = {
  register: 1,
  sign_in: 1,
  confirm: 1,
  second_factor: 5,
};

/** The relying party of WebAuthn. Browsers offer its passkeys only on this host's pages. */
export type RelyingParty = { id: string; origin: string };

/**
 * Returns the relying party: the canonical host if one is set. Otherwise, or on the loopback host, returns the
 * requested host.
 * @param url URL of the request
 */
export function relyingParty(siteHost: string | null, url: string): RelyingParty {
  const { hostname, origin } = new URL(url);
  if (siteHost === null || LOOPBACK.test(hostname)) return { id: hostname, origin };
  return { id: siteHost, origin: `https://${siteHost}` };
}

export function toPasskeyInfo({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): PasskeyInfo {
  return { id, name, isSynced, createdAt, lastUsedAt };
}
