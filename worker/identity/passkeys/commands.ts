import { isUniqueViolation } from "../../platform/db/unique.ts";
import type { Act } from "../audit/act.ts";
import { and, eq, lt, or, sql } from "drizzle-orm";

import { MAX_DATE_MS } from "../../../contract/pipeline.ts";
import { formatDevice } from "../account/views.ts";
import { auditEntry } from "../audit/commands.ts";
import type { Session } from "../../platform/session.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets, passkeys, sessions } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { type Notice, enqueueNotice } from "../../outbox/notice-commands.ts";
import { MAX_PASSKEYS } from "../../../contract/passkeys.ts";
import { consumeSecret, createSecret } from "../auth/secret-commands.ts";
import { hasPasskey, listPasskeys } from "./queries.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { type PasskeyRow } from "./rules.ts";
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
