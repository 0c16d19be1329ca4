/**
 * Challenges that a browser must answer. Each challenge is for one holder and one purpose, expires within minutes and
 * works once.
 */
import { and, eq, gt, lt, sql } from "drizzle-orm";

import type { ChallengePurpose } from "../../../contract/passkeys.ts";
import type { Db } from "../../platform/db/client.ts";
import { challenges } from "../../platform/db/schema.ts";
import { CHALLENGE_MS, MAX_TRIES, SECOND_STEP_MS } from "./rules.ts";

export type Holder = { holder: string; purpose: ChallengePurpose };

export type ChallengeRow = typeof challenges.$inferSelect;

const matchesHolder = ({ holder, purpose }: Holder) =>
  and(eq(challenges.holder, holder), eq(challenges.purpose, purpose));

/** Stores a challenge. Replaces the holder's earlier challenge for the same purpose. */
export async function storeChallenge(db: Db, of: Holder, challenge: string, now: number): Promise<void> {
  const fresh = { challenge, userId: null, tries: 0, expiresAt: now + CHALLENGE_MS };
  await db
    .insert(challenges)
    .values({ ...of, ...fresh })
    .onConflictDoUpdate({ target: [challenges.holder, challenges.purpose], set: fresh });
}

/** Opens the second sign-in step after a correct password. */
export async function openSecondStep(db: Db, holder: string, userId: string, now: number): Promise<void> {
  await db
    .insert(challenges)
    .values({ holder, purpose: "second_factor", userId, expiresAt: now + SECOND_STEP_MS });
}

/** Returns an open second step; null if it expired or has no tries left. */
export async function findSecondStep(db: Db, holder: string, now: number): Promise<ChallengeRow | null> {
  const [row] = await db
    .select()
    .from(challenges)
    .where(
      and(
        matchesHolder({ holder, purpose: "second_factor" }),
        gt(challenges.expiresAt, now),
        lt(challenges.tries, MAX_TRIES.second_factor),
      ),
    );
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
    .update(challenges)
    .set({ challenge })
    .where(and(matchesHolder({ holder, purpose: "second_factor" }), gt(challenges.expiresAt, now)))
    .returning({ holder: challenges.holder });
  return stored.length > 0;
}

/**
 * Counts one try at a challenge. Runs before the check of the answer, so that concurrent answers cannot exceed the
 * limit.
 * @returns null if the challenge has expired, has no tries left, or does not exist
 */
export async function countAttempt(db: Db, of: Holder, now: number): Promise<ChallengeRow | null> {
  const [row] = await db
    .update(challenges)
    .set({ tries: sql`${challenges.tries} + 1` })
    .where(and(matchesHolder(of), gt(challenges.expiresAt, now), lt(challenges.tries, MAX_TRIES[of.purpose])))
    .returning();
  return row ?? null;
}

/**
 * Consumes an answered challenge.
 * @returns false if a concurrent request has already consumed it
 */
export async function consumeChallenge(db: Db, of: Holder): Promise<boolean> {
  const deleted = await db
    .delete(challenges)
    .where(matchesHolder(of))
    .returning({ holder: challenges.holder });
  return deleted.length > 0;
}
