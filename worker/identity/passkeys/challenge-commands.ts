/**
 * Challenges that a browser must answer. Each challenge is for one holder and one purpose, expires within minutes and
 * works once.
 */
import { and, lt, sql } from "drizzle-orm";

import type { ChallengePurpose } from "../../../contract/passkeys.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets } from "../../platform/db/schema.ts";
import { createSecret, isUsable, type SecretRow } from "../auth/secret-commands.ts";
import { CHALLENGE_MS, MAX_TRIES, SECOND_STEP_MS } from "./rules.ts";

type Holder = { hash: string; purpose: ChallengePurpose };

const secondStepOf = (hash: string) => ({ hash, purpose: "second_factor" }) as const;

const isOpen = (of: Holder, now: number) =>
  and(isUsable(of, now), lt(oneTimeSecrets.tries, MAX_TRIES[of.purpose]));

/** Stores a challenge. Replaces the holder's earlier challenge for the same purpose. */
export async function storeChallenge(db: Db, of: Holder, challenge: string, now: number): Promise<void> {
  await createSecret(db, { ...of, data: challenge, expiresAt: now + CHALLENGE_MS }, now);
}

/** Opens the second sign-in step after a correct password. */
export async function openSecondStep(db: Db, holder: string, userId: string, now: number): Promise<void> {
  await createSecret(db, { ...secondStepOf(holder), userId, expiresAt: now + SECOND_STEP_MS }, now);
}

/** Returns an open second step; null if it expired or has no tries left. */
export async function findSecondStep(db: Db, holder: string, now: number): Promise<SecretRow | null> {
  const [row] = await db
    .select()
    .from(oneTimeSecrets)
    .where(isOpen(secondStepOf(holder), now));
  return row ?? null;
}

/**
 * Stores the challenge of an open second step.
 * @returns false if the second step is not open
 */
export async function storeSecondChallenge(
  db: Db,
  holder: string,
  challenge: string,
  now: number,
): Promise<boolean> {
  const stored = await db
    .update(oneTimeSecrets)
    .set({ data: challenge })
    .where(isUsable(secondStepOf(holder), now))
    .returning({ id: oneTimeSecrets.id });
  return stored.length > 0;
}

/**
 * Counts one try at a challenge. Runs before the check of the answer, so that concurrent answers cannot exceed the
 * limit.
 * @returns null if the challenge has expired, has no tries left, or does not exist
 */
export async function countAttempt(db: Db, of: Holder, now: number): Promise<SecretRow | null> {
  const [row] = await db
    .update(oneTimeSecrets)
    .set({ tries: sql`${oneTimeSecrets.tries} + 1` })
    .where(isOpen(of, now))
    .returning();
  return row ?? null;
}
