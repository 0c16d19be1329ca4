import { and, asc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";

import {
  type ChallengePurpose,
  MAX_PASSKEYS,
  normaliseRecoveryCode,
  RECOVERY_CODES,
} from "../../../contract/passkeys.ts";
import { MAX_DATE_MS } from "../../../contract/pipeline.ts";
import { enqueueNotice, type Notice } from "../../outbox/commands.ts";
import type { Session } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets, passkeys } from "../tables.ts";
import { sessions } from "../../platform/db/users.ts";
import { isUniqueViolation } from "../../platform/db/unique.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { formatDevice } from "../account/queries.ts";
import { type Act, auditEntry } from "../audit/store.ts";
import { consumeSecret, createSecret, isUsable, type SecretRow } from "../auth/one-time-secret-store.ts";
import { CHALLENGE_MS, MAX_TRIES, type PasskeyRow, SECOND_STEP_MS } from "./rules.ts";
import type { NewPasskey } from "./webauthn.ts";

/** Returns the audit entry for a passkey change. It contains the passkey's id, never its name. */
function entry(
  db: Db,
  session: Session,
  { actor, now: at, requestId }: Act,
  action: string,
  passkeyId?: string,
) {
  return auditEntry(db, actor, {
    at,
    action,
    subjectType: "user",
    subjectId: session.user.id,
    after: passkeyId === undefined ? null : { passkeyId },
    requestId,
  });
}

const deleteCodes = (db: Db, userId: string) =>
  db
    .delete(oneTimeSecrets)
    .where(and(eq(oneTimeSecrets.userId, userId), eq(oneTimeSecrets.purpose, "recovery_code")));

/** A recovery code with the hash of what the user typed. */
const recoveryCode = (userId: string, code: string) =>
  ({ hash: hashRecoveryCode(userId, code), purpose: "recovery_code" }) as const;

/** Returns the statements that replace an account's recovery codes. They never expire. */
function replaceCodes(db: Db, userId: string, codes: string[], now: number) {
  const created = codes.map((code) =>
    createSecret(db, { ...recoveryCode(userId, code), userId, expiresAt: MAX_DATE_MS }, now),
  );
  return [deleteCodes(db, userId), ...created] as const;
}

/** Returns the statement that marks a session as confirmed, by a second factor or a password. */
export function markConfirmed(db: Db, sessionId: string, now: number, bySecondFactor: boolean) {
  return db
    .update(sessions)
    .set({ confirmedAt: now, ...(bySecondFactor && { secondFactorAt: now }) })
    .where(eq(sessions.id, sessionId));
}

/**
 * Adds a passkey to the session's account. Also creates recovery codes with the first one. Names the passkey after the
 * user agent until the user renames it.
 * @returns the passkey, and the recovery codes, which are shown only once. The codes are null if the account already
 * had a passkey.
 * @throws DomainError too_many_passkeys; passkey_known if the passkey is already registered
 */
export async function addPasskey(
  db: Db,
  session: Session,
  made: NewPasskey,
  { userAgent, notice, ...act }: Act & { userAgent: string | null; notice: Notice },
): Promise<{ passkey: PasskeyRow; codes: string[] | null }> {
  const { id: userId } = session.user;
  const known = await listPasskeys(db, userId);
  if (known.length >= MAX_PASSKEYS) {
    throw new DomainError(
      "too_many_passkeys",
      `You can have up to ${MAX_PASSKEYS} passkeys. Remove one first.`,
    );
  }
  const codes = known.length === 0 ? newRecoveryCodes() : null;
  const id = newId("key");
  const name = formatDevice(userAgent);
  const insert = db
    .insert(passkeys)
    .values({ ...made, id, userId, name, createdAt: act.now })
    .returning();
  const auditEntries = [
    markConfirmed(db, session.id, act.now, true),
    entry(db, session, act, "user.passkey_added", id),
    ...enqueueNotice(db, notice, act.now),
  ] as const;
  try {
    const [[passkey]] = codes
      ? await db.batch([insert, ...auditEntries, ...replaceCodes(db, userId, codes, act.now)])
      : await db.batch([insert, ...auditEntries]);
    return { passkey: passkey!, codes };
  } catch (error) {
    if (isUniqueViolation(error, "passkeys.credential_id")) throw new DomainError("passkey_known");
    throw error;
  }
}

/** Renames a passkey. @throws DomainError not_found if the passkey belongs to another user */
export async function renamePasskey(db: Db, userId: string, id: string, name: string): Promise<PasskeyRow> {
  const [row] = await db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning();
  if (!row) throw new DomainError("not_found", "That passkey has already been removed");
  return row;
}

/**
 * Removes a passkey. Removing the last one also removes the recovery codes, which are useless without a passkey.
 * @param mustKeepOne Whether the account must keep one passkey
 * @throws DomainError not_found if the passkey belongs to another user; last_passkey
 */
export async function removePasskey(
  db: Db,
  session: Session,
  id: string,
  { mustKeepOne, ...act }: Act & { mustKeepOne: boolean },
): Promise<void> {
  const { id: userId } = session.user;
  const isTheirs = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const others = sql`EXISTS (SELECT 1 FROM ${passkeys} AS other WHERE other.user_id = ${userId} AND other.id <> ${id})`;
  const deleted = await db
    .delete(passkeys)
    .where(mustKeepOne ? and(isTheirs, others) : isTheirs)
    .returning({ id: passkeys.id });
  if (deleted.length === 0) {
    const [remaining] = await db.select({ id: passkeys.id }).from(passkeys).where(isTheirs);
    if (remaining)
      throw new DomainError("last_passkey", "Super admins need a passkey. Add another one first.");
    throw new DomainError("not_found", "That passkey has already been removed");
  }
  const line = entry(db, session, act, "user.passkey_removed", id);
  if (await hasPasskey(db, userId)) await line;
  else await db.batch([line, deleteCodes(db, userId)]);
}

/**
 * Creates new recovery codes and invalidates the old ones.
 * @returns the codes, which are shown only once
 * @throws DomainError invalid_input for an account without a passkey
 */
export async function renewRecoveryCodes(
  db: Db,
  session: Session,
  { notice, ...act }: Act & { notice: Notice },
): Promise<string[]> {
  const { id: userId } = session.user;
  if (!(await hasPasskey(db, userId))) throw new DomainError("invalid_input", "Add a passkey first");
  const codes = newRecoveryCodes();
  await db.batch([
    ...replaceCodes(db, userId, codes, act.now),
    entry(db, session, act, "user.recovery_codes_renewed"),
    ...enqueueNotice(db, notice, act.now),
  ]);
  return codes;
}

/**
 * Records a use of a passkey. An authenticator with a counter must send a higher count each time. A repeated count
 * means that the passkey was copied.
 * @returns false if the count did not rise
 */
export async function recordUse(db: Db, passkey: PasskeyRow, counter: number, now: number): Promise<boolean> {
  const rows = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(
      and(
        eq(passkeys.id, passkey.id),
        or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter} = 0`)),
      ),
    )
    .returning({ id: passkeys.id });
  return rows.length > 0;
}

/**
 * Consumes a recovery code.
 * @returns false if the code is not this user's or was already used
 */
export async function spendRecoveryCode(db: Db, userId: string, code: string, now: number): Promise<boolean> {
  return (await consumeSecret(db, recoveryCode(userId, code), now)) !== null;
}

// Challenges that a browser must answer. Each challenge is for one holder and one purpose, expires within minutes and
// works once.

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

// Recovery codes, which replace a lost passkey.

/** Omits 0, 1, l and o, which are hard to tell apart on paper. 32 characters, 5 bits each. */
const CODE_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 16;

/** Returns a recovery code of 80 random bits, in groups of four characters. */
function newRecoveryCode(): string {
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]!);
  return characters.join("").match(/.{4}/g)!.join("-");
}

/** Returns new recovery codes, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

/** Returns the hash to store for a recovery code. A fast hash is enough, because 80 random bits cannot be guessed. */
export function hashRecoveryCode(userId: string, code: string): string {
  return createHash("sha256")
    .update(`${userId}:${normaliseRecoveryCode(code)}`)
    .digest("base64url");
}

/** Lists a user's passkeys, oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt));
}

/** Returns whether a user has a passkey. If so, the password alone does not sign them in. */
export async function hasPasskey(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(1);
  return rows.length > 0;
}

/**
 * Finds the passkey in a browser's response.
 * @param userId the required owner; any owner if omitted
 */
export async function findPasskey(db: Db, credentialId: string, userId?: string): Promise<PasskeyRow | null> {
  const [row] = await db
    .select()
    .from(passkeys)
    .where(
      and(
        eq(passkeys.credentialId, credentialId),
        userId === undefined ? undefined : eq(passkeys.userId, userId),
      ),
    );
  return row ?? null;
}

export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { userId: ownerId, purpose, usedAt } = oneTimeSecrets;
  return db.$count(oneTimeSecrets, and(eq(ownerId, userId), eq(purpose, "recovery_code"), isNull(usedAt)));
}
