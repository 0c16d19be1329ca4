import type { Act } from "../audit/act.ts";
import { and, eq, exists, ne, or } from "drizzle-orm";

import type { PersonalInfoForm } from "../../contract/account.ts";
import type { TextTemplate } from "../../contract/text-templates.ts";
import { auditEntry, auditWhen } from "../audit/commands.ts";
import { refuseMixUp, takenError } from "../auth/account-commands.ts";
import type { EndedSession } from "../auth/commands.ts";
import type { Session, UserRow } from "../platform/session.ts";
import type { Db } from "../db/client.ts";
import { bankDetails, sessions, users } from "../db/schema.ts";
import { type Word, writeWord } from "../outbox/notice-commands.ts";
import { DomainError } from "../errors.ts";
import { type BusinessScope, requireConfirmed } from "../auth/rights.ts";
import type { Sealed } from "./bank-details.ts";
import { profileChanges } from "./views.ts";

/** The log's line about a change to an account: which fields, never what they say. */
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
 * Changes what a person says about themselves and, for providers, about their company.
 * @param act `confirmsEmail`: a new address waits as `pendingEmail`; the caller has it written to
 * @returns the person after the change
 * @throws DomainError email_taken, username_taken; invalid_input when a team member gives up their email,
 *   by which they sign in; impersonating when somebody else would take over the address; confirm_needed
 *   before the address changes
 */
export async function updateProfile(
  db: Db,
  session: Session,
  form: PersonalInfoForm,
  { word, ...act }: Act & { confirmsEmail: boolean; word: Word },
): Promise<UserRow> {
  const { user } = session;
  const changes = profileChanges(user, form, act.confirmsEmail);
  const changed = Object.keys(changes);
  if (changed.length === 0) return user;
  if (changes.email === null && user.userType === "team_member") {
    throw new DomainError("invalid_input", "Valid email required", { email: "Valid email required" });
  }
  if (changes.email !== undefined || changes.pendingEmail) {
    // Whoever has the address can have the password set anew.
    if (session.impersonatorId) throw new DomainError("impersonating", "Not while impersonating: email");
    requireConfirmed(session, act.now);
    // Whose an address is that waits is asked when it is confirmed: the answer here would tell.
    if (changes.email !== undefined) await refuseMixUp(db, { ...user, ...changes }, user.id);
  }
  try {
    const [[row]] = await db.batch([
      db
        .update(users)
        .set({ ...changes, updatedAt: act.now })
        .where(eq(users.id, user.id))
        .returning(),
      accountEntry(db, session, act, "user.profile_changed", { fields: changed }),
      ...(changes.email === undefined ? [] : writeWord(db, word, act.now)),
    ]);
    return row!;
  } catch (error) {
    throw takenError(error, user);
  }
}

/** Keeps a business's sealed bank details, or forgets them (null). */
export async function storeBankDetails(
  db: Db,
  session: Session,
  scope: BusinessScope,
  sealed: Sealed | null,
  { word, ...act }: Act & { word: Word },
): Promise<void> {
  const mine = eq(bankDetails.userId, scope.businessId);
  const values = sealed && { ...sealed, updatedAt: act.now };
  await db.batch([
    values
      ? db
          .insert(bankDetails)
          .values({ userId: scope.businessId, ...values })
          .onConflictDoUpdate({ target: bankDetails.userId, set: values })
      : db.delete(bankDetails).where(mine),
    accountEntry(db, session, act, sealed ? "bank_details.changed" : "bank_details.removed"),
    ...writeWord(db, word, act.now),
  ]);
}

/** Sets the services a business works in; an empty list means all. */
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

/** Sets a business's text messages, in their order; an empty list means none. */
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
    // How many, not what they say.
    accountEntry(db, session, act, "user.text_templates_changed", { templates: templates.length }),
  ]);
}

const ended = { id: sessions.id, userId: sessions.userId };

/** Signs a person out everywhere but here. The caller closes the sockets of what ended. */
export async function endOtherSessions(db: Db, session: Session, act: Act): Promise<EndedSession[]> {
  const [gone] = await db.batch([
    db
      .delete(sessions)
      // Theirs, and those in which they look through somebody else's eyes.
      .where(
        and(
          or(eq(sessions.userId, session.user.id), eq(sessions.impersonatorId, session.user.id)),
          ne(sessions.id, session.id),
        ),
      )
      .returning(ended),
    accountEntry(db, session, act, "user.signed_out_elsewhere"),
  ]);
  return gone;
}

/**
 * Signs a person out in one other place.
 * @returns what ended; the caller closes its sockets
 * @throws DomainError not_found for a session that is not theirs, or has ended
 */
export async function endOwnSession(
  db: Db,
  session: Session,
  sessionId: string,
  act: Act,
): Promise<EndedSession[]> {
  const theirs = and(eq(sessions.userId, session.user.id), eq(sessions.id, sessionId))!;
  const [, gone] = await db.batch([
    auditWhen(db, exists(db.select({ id: sessions.id }).from(sessions).where(theirs)), act.actor, {
      at: act.now,
      action: "user.signed_out_elsewhere",
      subjectType: "user",
      subjectId: session.user.id,
      requestId: act.requestId,
    }),
    db.delete(sessions).where(theirs).returning(ended),
  ]);
  if (gone.length === 0) throw new DomainError("not_found", "That session has ended already");
  return gone;
}
