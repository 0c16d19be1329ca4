import { MINUTE_MS } from "../../contract/durations.ts";
import { type ChallengePurpose, type PasskeyInfo } from "../../contract/passkeys.ts";
import type { passkeys } from "../db/schema.ts";
import { LOOPBACK } from "../loopback.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** How long a browser has to answer: a phone has to be found and unlocked. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

/** How long a right password waits for its second step. */
export const SECOND_STEP_MS = 10 * MINUTE_MS;

/** How often a challenge may be answered wrongly. Only recovery codes are typed by hand. */
export const MOST_TRIES: Readonly<Record<ChallengePurpose, number>> = {
  register: 1,
  sign_in: 1,
  confirm: 1,
  second_factor: 5,
};

/** Whom passkeys are made for: browsers give them to this host's pages and to no others. */
export type RelyingParty = { id: string; origin: string };

/**
 * The site as passkeys know it: its one host where one is set. On this machine, and while none is set, it is
 * whatever host was asked.
 * @param url of the request
 */
export function relyingParty(siteHost: string | null, url: string): RelyingParty {
  const { hostname, origin } = new URL(url);
  if (siteHost === null || LOOPBACK.test(hostname)) return { id: hostname, origin };
  return { id: siteHost, origin: `https://${siteHost}` };
}

/** A passkey as its owner sees it. */
export function toPasskeyInfo({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): PasskeyInfo {
  return { id, name, isSynced, createdAt, lastUsedAt };
}
