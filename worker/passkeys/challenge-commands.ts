/** What a browser has to prove next: kept here, for one holder and one purpose, for minutes, and used up. */
import { and, eq, gt, lt, sql } from "drizzle-orm";

import type { ChallengePurpose } from "../../contract/passkeys.ts";
import type { Db } from "../db/client.ts";
import { challenges } from "../db/schema.ts";
import { CHALLENGE_MS, MOST_TRIES, SECOND_STEP_MS } from "./rules.ts";

/** Whose challenge it is, and for what. */
export type Holder = { holder: string; purpose: ChallengePurpose };

export type ChallengeRow = typeof challenges.$inferSelect;

const isOf = ({ holder, purpose }: Holder) =>
  and(eq(challenges.holder, holder), eq(challenges.purpose, purpose));

/** Keeps a challenge; one that its holder was given before for the same purpose is void. */
export async function keepChallenge(db: Db, of: Holder, challenge: string, now: number): Promise<void> {
  const fresh = { challenge, userId: null, tries: 0, expiresAt: now + CHALLENGE_MS };
  await db
    .insert(challenges)
    .values({ ...of, ...fresh })
    .onConflictDoUpdate({ target: [challenges.holder, challenges.purpose], set: fresh });
}

/** Somebody's password was right: their second step may follow. */
export async function openSecondStep(db: Db, holder: string, userId: string, now: number): Promise<void> {
  await db
    .insert(challenges)
    .values({ holder, purpose: "second_factor", userId, expiresAt: now + SECOND_STEP_MS });
}

/** A second step that may still be made; null when it took too long or was tried too often. */
export async function findSecondStep(db: Db, holder: string, now: number): Promise<ChallengeRow | null> {
  const [row] = await db
    .select()
    .from(challenges)
    .where(
      and(
        isOf({ holder, purpose: "second_factor" }),
        gt(challenges.expiresAt, now),
        lt(challenges.tries, MOST_TRIES.second_factor),
      ),
    );
  return row ?? null;
}

/** Keeps the challenge of a second step that is open. @returns false when it is not */
export async function keepSecondChallenge(
  db: Db,
  holder: string,
  challenge: string,
  now: number,
): Promise<boolean> {
  const kept = await db
    .update(challenges)
    .set({ challenge })
    .where(and(isOf({ holder, purpose: "second_factor" }), gt(challenges.expiresAt, now)))
    .returning({ holder: challenges.holder });
  return kept.length > 0;
}

/**
 * Takes one try at what was asked for. It counts before anybody looks at the answer, so of two answers at
 * once to what may be tried once, one is not looked at.
 * @returns null when it took too long, was tried too often, or was never asked
 */
export async function takeTry(db: Db, of: Holder, now: number): Promise<ChallengeRow | null> {
  const [row] = await db
    .update(challenges)
    .set({ tries: sql`${challenges.tries} + 1` })
    .where(and(isOf(of), gt(challenges.expiresAt, now), lt(challenges.tries, MOST_TRIES[of.purpose])))
    .returning();
  return row ?? null;
}

/** Uses up what was proven. @returns false when somebody else has done so meanwhile */
export async function useUp(db: Db, of: Holder): Promise<boolean> {
  const gone = await db.delete(challenges).where(isOf(of)).returning({ holder: challenges.holder });
  return gone.length > 0;
}
