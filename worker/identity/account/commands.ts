import { and, eq, ne, or } from "drizzle-orm";

import type { BankDetailsForm, MaskedBankDetails, PersonalInfoForm } from "../../../contract/account.ts";
import { phoneKey } from "../../../contract/phone.ts";
import type { TextTemplate } from "../../../contract/text-templates.ts";
import { enqueueNotice, type Notice } from "../../outbox/commands.ts";
import type { Session, UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch } from "../../platform/db/guarded-batch.ts";
import { bankDetails } from "../tables.ts";
import { sessions, users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { type KeyRing, shortKeyedHash } from "../../platform/keys.ts";
import { type Act, auditEntry } from "../audit/store.ts";
import { refuseNameConflicts, translateUniqueError } from "../auth/account-commands.ts";
import type { EndedSession } from "../auth/commands.ts";
import { type BusinessScope, requireConfirmed } from "../auth/rules.ts";
import { updateChecksForAccount } from "../checks/commands.ts";
import { profileChanges } from "./queries.ts";

/** Returns the audit entry for an account change. It lists the changed fields, never their values. */
function accountEntry(db: Db, session: Session, act: Act, action: string, after?: Record<string, unknown>) {
  return auditEntry(db, act.actor, {
    at: act.now,
    action,
    subjectType: "user",
    subjectId: session.user.id,
    after: after ?? null,
    requestId: act.requestId,
  });
}

/**
 * Updates a user's profile and, for providers, the company details.
 * @param act `confirmsEmail`: stores a new address as `pendingEmail`; the caller then sends the confirmation link
 * @returns the updated user
 * @throws DomainError email_taken, username_taken; confirm_needed before the address changes; impersonating if an admin
 * changes the address or the ABN; invalid_input if a team member removes the email that they sign in with
 */
export async function updateProfile(
  db: Db,
  session: Session,
  form: PersonalInfoForm,
  { notice, ...act }: Act & { confirmsEmail: boolean; notice: Notice },
): Promise<UserRow> {
  const { user } = session;
  const changes = profileChanges(user, form, act.confirmsEmail);
  const changed = Object.keys(changes);
  if (changed.length === 0) return user;
  if (changes.email === null && user.userType === "team_member") {
    throw new DomainError("invalid_input", "Valid email required", { email: "Valid email required" });
  }
  if (changes.email !== undefined || changes.pendingEmail) {
    // Access to the email address is enough to reset the password.
    if (session.impersonatorId)
      throw new DomainError("impersonating", "You can't change the email address while impersonating.");
    requireConfirmed(session, act.now);
    const email = changes.pendingEmail ?? changes.email;
    await refuseNameConflicts(db, { ...user, ...changes, email }, user.id);
  }
  // A new ABN ends the business's ABN check.
  if (changes.abn !== undefined && session.impersonatorId)
    throw new DomainError("impersonating", "You can't change the ABN while impersonating.");
  try {
    const [[row]] = await db.batch([
      db
        .update(users)
        .set({
          ...changes,
          ...(changes.phone && { phoneKey: phoneKey(changes.phone) }),
          updatedAt: act.now,
        })
        .where(eq(users.id, user.id))
        .returning(),
      accountEntry(db, session, act, "user.profile_changed", { fields: changed }),
      ...updateChecksForAccount(db, user.id, changes, act),
      ...(changes.email === undefined ? [] : enqueueNotice(db, notice, act.now)),
    ]);
    return row!;
  } catch (error) {
    throw translateUniqueError(error, user);
  }
}

/** Stores a business's encrypted bank details; null deletes them. */
export async function storeBankDetails(
  db: Db,
  session: Session,
  scope: BusinessScope,
  sealed: NewlySealed | null,
  { notice, ...act }: Act & { notice: Notice },
): Promise<void> {
  const isOwnRow = eq(bankDetails.userId, scope.businessId);
  const values = sealed && { ...sealed, updatedAt: act.now };
  await db.batch([
    values
      ? db
          .insert(bankDetails)
          .values({ userId: scope.businessId, ...values })
          .onConflictDoUpdate({ target: bankDetails.userId, set: values })
      : db.delete(bankDetails).where(isOwnRow),
    accountEntry(db, session, act, sealed ? "bank_details.changed" : "bank_details.removed"),
    ...enqueueNotice(db, notice, act.now),
  ]);
}

/** Sets the services that a business offers; an empty list means all. */
export async function setServices(
  db: Db,
  session: Session,
  scope: BusinessScope,
  services: string[],
  act: Act,
): Promise<void> {
  await db.batch([
    db.update(users).set({ services, updatedAt: act.now }).where(eq(users.id, scope.businessId)),
    accountEntry(db, session, act, "user.services_changed", { services }),
  ]);
}

/** Sets a business's text templates, in order; an empty list means none. */
export async function setTextTemplates(
  db: Db,
  session: Session,
  scope: BusinessScope,
  templates: TextTemplate[],
  act: Act,
): Promise<void> {
  await db.batch([
    db
      .update(users)
      .set({ textTemplates: templates, updatedAt: act.now })
      .where(eq(users.id, scope.businessId)),
    // Log how many templates there are, never their text.
    accountEntry(db, session, act, "user.text_templates_changed", { templates: templates.length }),
  ]);
}

const ended = { id: sessions.id, userId: sessions.userId };

/** Ends all other sessions of a user. The caller closes their sockets. */
export async function endOtherSessions(db: Db, session: Session, act: Act): Promise<EndedSession[]> {
  const [endedSessions] = await db.batch([
    db
      .delete(sessions)
      // Ends the user's own sessions and those in which they impersonate another user.
      .where(
        and(
          or(eq(sessions.userId, session.user.id), eq(sessions.impersonatorId, session.user.id)),
          ne(sessions.id, session.id),
        ),
      )
      .returning(ended),
    accountEntry(db, session, act, "user.signed_out_elsewhere"),
  ]);
  return endedSessions;
}

/**
 * Ends one of a user's own sessions.
 * @returns the ended session; the caller closes its sockets
 * @throws DomainError not_found if the session belongs to another user or has ended
 */
export async function endOwnSession(
  db: Db,
  session: Session,
  sessionId: string,
  act: Act,
): Promise<EndedSession[]> {
  const isOwn = and(eq(sessions.userId, session.user.id), eq(sessions.id, sessionId));
  const refusal = new DomainError("not_found", "That session has already ended");
  const [endedSessions] = await guardedBatch(db, { from: sessions, where: isOwn, refusal }, [
    db.delete(sessions).where(isOwn).returning(ended),
    accountEntry(db, session, act, "user.signed_out_elsewhere"),
  ]);
  return endedSessions;
}

// Encrypts bank details with AES-GCM. The key exists only in a secret.

type PlainBankDetails = {
  bankName: string | null;
  accountName: string | null;
  bsb: string | null;
  accountNumber: string | null;
};

/** Stored bank details: base64 of nonce and ciphertext, and the id of the key that decrypts them. */
type Sealed = { ciphertext: string; keyId: string };

/** What a save stores: also a keyed hash of the account, null without BSB and account number. */
type NewlySealed = Sealed & { accountHash: string | null };

const NONCE_BYTES = 12;

function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", Buffer.from(key, "base64"), "AES-GCM", false, ["encrypt", "decrypt"]);
}

/**
 * Returns the AES-GCM parameters. The user id is authenticated data: details copied to another user's row do not
 * decrypt.
 */
function parameters(nonce: Uint8Array<ArrayBuffer>, userId: string) {
  return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(userId) };
}

/** Encrypts a user's bank details with the key ring's current key. */
export async function sealBankDetails(
  keyRing: KeyRing,
  userId: string,
  details: PlainBankDetails,
): Promise<NewlySealed> {
  const { id, key } = keyRing[0]!;
  const { bsb, accountNumber } = details;
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(details));
  const sealed = await crypto.subtle.encrypt(parameters(nonce, userId), await importKey(key), plain);
  return {
    ciphertext: Buffer.concat([nonce, Buffer.from(sealed)]).toString("base64"),
    keyId: id,
    // The oldest key, so that rows of before a change of keys still match.
    accountHash: bsb && accountNumber && shortKeyedHash(keyRing.at(-1)!.key, "account", bsb, accountNumber),
  };
}

/**
 * Decrypts a user's bank details.
 * @throws Error if the ring lacks the key, or if the details were tampered with or belong to another user
 */
export async function openBankDetails(
  keyRing: KeyRing,
  userId: string,
  sealed: Sealed,
): Promise<PlainBankDetails> {
  const found = keyRing.find(({ id }) => id === sealed.keyId);
  if (!found) throw new Error(`Bank details are sealed with key ${sealed.keyId}, which is not in the ring`);
  const bytes = new Uint8Array(Buffer.from(sealed.ciphertext, "base64"));
  const plain = await crypto.subtle.decrypt(
    parameters(bytes.slice(0, NONCE_BYTES), userId),
    await importKey(found.key),
    bytes.slice(NONCE_BYTES),
  );
  return JSON.parse(new TextDecoder().decode(plain)) as PlainBankDetails;
}

/** Returns a form's bank details with null for absent fields; null if all fields are empty. */
export function bankDetailsOf(form: BankDetailsForm): PlainBankDetails | null {
  const { bankName = null, accountName = null, bsb = null, accountNumber = null } = form;
  const details = { bankName, accountName, bsb, accountNumber };
  return Object.values(details).every((value) => value === null) ? null : details;
}

function lastThree(digits: string | null): string | null {
  return digits && `${"•".repeat(digits.length - 3)}${digits.slice(-3)}`;
}

/** Masks all but the last three digits of the BSB and the account number, for the owner's own screen. */
export function maskBankDetails(
  details: PlainBankDetails | null,
  updatedAt: number | null,
): MaskedBankDetails {
  return {
    bankName: details?.bankName ?? null,
    accountName: details?.accountName ?? null,
    bsb: lastThree(details?.bsb ?? null),
    accountNumber: lastThree(details?.accountNumber ?? null),
    updatedAt,
  };
}
