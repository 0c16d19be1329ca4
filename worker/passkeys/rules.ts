import { createHash, randomBytes } from "node:crypto";

import {
  bareCode,
  type ChallengePurpose,
  type PasskeyInfo,
  RECOVERY_CODES,
} from "../../contract/passkeys.ts";
import type { passkeys } from "../db/schema.ts";
import { LOOPBACK } from "../loopback.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** How long a browser has to answer: a phone has to be found and unlocked. */
export const CHALLENGE_MS = 5 * 60 * 1000;

/** How long a right password waits for its second step. */
export const SECOND_STEP_MS = 10 * 60 * 1000;

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

/** Without 0, 1, l and o, which are hard to tell apart on paper: 32 signs, 5 bits each. */
const CODE_SIGNS = "abcdefghijkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 16;

/** A recovery code of 80 random bits, in groups of four. */
function newRecoveryCode(): string {
  const signs = [...randomBytes(CODE_LENGTH)].map((byte) => CODE_SIGNS[byte % CODE_SIGNS.length]!);
  return signs.join("").match(/.{4}/g)!.join("-");
}

/** Fresh recovery codes, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

/** A recovery code as stored. It has too many bits to be guessed from its hash, so a quick one will do. */
export function hashRecoveryCode(userId: string, code: string): string {
  return createHash("sha256")
    .update(`${userId}:${bareCode(code)}`)
    .digest("base64url");
}

/** A passkey as its owner sees it. */
export function toPasskeyInfo({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): PasskeyInfo {
  return { id, name, isSynced, createdAt, lastUsedAt };
}
