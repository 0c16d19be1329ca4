/** One-time links with which somebody shows that an address is theirs. */
import type { UserRow } from "../platform/session.ts";
import { HOUR_MS } from "../../contract/durations.ts";
import { and, desc, eq, exists, gt, inArray, isNull, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { Act, UnsignedAct } from "../audit/act.ts";
import { auditEntry, auditWhen } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { emailLinks, mailBox, users } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { writeEmail } from "../outbox/enqueue-commands.ts";
import { type Word, wordTo, writeWord } from "../outbox/notice-commands.ts";
import { takenError } from "./account-commands.ts";
import { BETWEEN_MAILS_MS, PASSWORD_LINK_MS } from "./rules.ts";
import { hashToken, newToken } from "./tokens.ts";

/** How long a link for an address works. */
const EMAIL_LINK_MS = PASSWORD_LINK_MS;

/** Addresses that one account may have us write to within an hour; who mistypes needs two or three. */
const MOST_AN_HOUR = 5;

/** The mail box an address stands for: "jo+garden@example.com" is jo@example.com's. */
function mailboxOf(email: string): string {
  return email.replace(/\+[^@]*(?=@)/, "");
}

/**
 * Makes a link for an address that waits to be confirmed and writes the email that takes it there, unless its
 * mail box was written to within five minutes, by whomever, or the account has asked too often. One batch: of
 * two at once, one does it. The link gets its secret when the email is sent.
 * @param asked `holderId`: the address is this other account's, whose owner is told instead; the link opens nothing
 * @returns the email's id in the outbox, for sending it now; null when nobody is to be written to
 */
export async function issueEmailLink(
  db: Db,
  person: { userId: string; email: string },
  asked: { holderId: string | null; origin: string; now: number },
): Promise<string | null> {
  const { userId, email } = person;
  const { holderId, origin, now } = asked;
  const [id, messageId] = [newId("link"), newId("msg")];
  const isNew = db.select({ id: emailLinks.id }).from(emailLinks).where(eq(emailLinks.id, id));
  const justWritten = db
    .select({ id: emailLinks.id })
    .from(emailLinks)
    .where(and(sql`${mailBox} = ${mailboxOf(email)}`, gt(emailLinks.createdAt, now - BETWEEN_MAILS_MS)));
  const lately = sql`(SELECT count(*) FROM ${emailLinks} WHERE user_id = ${userId} AND created_at > ${now - HOUR_MS})`;
  const message = holderId
    ? ({ template: "address_in_use", to: email, userId: holderId, payload: { linkId: id, origin } } as const)
    : ({ template: "confirm_email", to: email, userId, payload: { linkId: id, origin } } as const);
  const [made] = await db.batch([
    db
      .insert(emailLinks)
      .select(
        db
          .select({
            id: sql`${id}`.as("id"),
            tokenHash: sql`${hashToken(newToken())}`.as("token_hash"),
            userId: sql`${userId}`.as("user_id"),
            email: sql`${email}`.as("email"),
            createdAt: sql`${now}`.as("created_at"),
            expiresAt: sql`${now + EMAIL_LINK_MS}`.as("expires_at"),
            usedAt: sql`${holderId ? now : null}`.as("used_at"),
          })
          .from(sql`(SELECT 1)`)
          .where(and(notExists(justWritten), sql`${lately} < ${MOST_AN_HOUR}`)),
      )
      .returning({ id: emailLinks.id }),
    // An older one may lie in a mail box that others read.
    db
      .update(emailLinks)
      .set({ usedAt: now })
      .where(
        and(eq(emailLinks.userId, userId), isNull(emailLinks.usedAt), ne(emailLinks.id, id), exists(isNew)),
      ),
    writeEmail(db, messageId, message, now, exists(isNew)),
  ]);
  return made.length > 0 ? messageId : null;
}

/**
 * When an account may next have us write to the address it waits for.
 * @returns epoch milliseconds, in the past when it may at once; what others asked for is not told
 */
export async function nextMailAt(
  db: Db,
  person: { userId: string; email: string },
  now: number,
): Promise<number> {
  const rows = await db
    .select({ email: emailLinks.email, at: emailLinks.createdAt })
    .from(emailLinks)
    .where(and(eq(emailLinks.userId, person.userId), gt(emailLinks.createdAt, now - HOUR_MS)))
    .orderBy(desc(emailLinks.createdAt))
    .limit(MOST_AN_HOUR);
  const last = rows.find(({ email }) => mailboxOf(email) === mailboxOf(person.email));
  const sooner = last ? last.at + BETWEEN_MAILS_MS : 0;
  return Math.max(sooner, rows.length === MOST_AN_HOUR ? rows.at(-1)!.at + HOUR_MS : 0);
}

const owners = alias(users, "owners");

/** A link that works: unused, in time, and for the very address its account waits for. */
function isAlive(token: string, now: number) {
  return and(
    eq(emailLinks.tokenHash, hashToken(token)),
    isNull(emailLinks.usedAt),
    gt(emailLinks.expiresAt, now),
    eq(owners.pendingEmail, emailLinks.email),
    eq(owners.isActive, true),
  );
}

/** Whose address a link confirms, and which. @throws DomainError link_ended when it is used, too old or made up */
export async function findEmailLink(
  db: Db,
  token: string,
  now: number,
): Promise<{ user: UserRow; email: string }> {
  const [row] = await db
    .select({ user: owners, email: emailLinks.email })
    .from(emailLinks)
    .innerJoin(owners, eq(owners.id, emailLinks.userId))
    .where(isAlive(token, now));
  if (!row) throw new DomainError("link_ended");
  return row;
}

function emailTaken(): DomainError {
  return new DomainError(
    "email_taken",
    "This email now belongs to another account. Sign in to that one, or give this account a different email.",
  );
}

/**
 * Makes the address a link stands for the account's own. One batch on the condition that the link works and
 * nobody else signs in with that address: of two at once, one does it. A refused link stays as it was.
 * @returns what the address from before is told of it, written down already
 * @throws DomainError link_ended; email_taken when somebody else has confirmed the address meanwhile
 */
export async function confirmEmail(env: Env, token: string, { now, requestId }: UnsignedAct): Promise<Word> {
  const db = database(env.DB);
  const { user: owner, email } = await findEmailLink(db, token, now);
  // To the address from before: whoever holds it may have lost the account.
  const word = owner.email === email ? null : wordTo(env, owner, "email_changed");
  const others = alias(users, "others");
  const named = db
    .select({ id: others.id })
    .from(others)
    .where(and(sql`lower(${others.username}) = lower(${email})`, ne(others.id, owner.id)));
  const works = db
    .select({ id: emailLinks.id })
    .from(emailLinks)
    .innerJoin(owners, eq(owners.id, emailLinks.userId))
    .where(isAlive(token, now));
  const may = and(exists(works), notExists(named))!;
  // After the change nothing waits any more; the link itself is used up only at the end.
  const confirmed = db
    .select({ id: emailLinks.id })
    .from(emailLinks)
    .innerJoin(owners, eq(owners.id, emailLinks.userId))
    .where(
      and(
        eq(emailLinks.tokenHash, hashToken(token)),
        isNull(emailLinks.usedAt),
        isNull(owners.pendingEmail),
        eq(owners.email, emailLinks.email),
      ),
    );
  const entry = {
    at: now,
    action: "user.email_confirmed",
    subjectType: "user",
    subjectId: owner.id,
    requestId,
  };
  try {
    const [, [user]] = await db.batch([
      auditWhen(db, may, { userId: owner.id, asUserId: null }, entry),
      db
        .update(users)
        .set({
          email: sql`pending_email`,
          // Team members sign in by their address.
          username: sql`CASE user_type WHEN 'team_member' THEN pending_email ELSE username END`,
          pendingEmail: null,
          updatedAt: now,
        })
        .where(and(eq(users.id, owner.id), may))
        .returning({ id: users.id }),
      ...writeWord(db, word, now, exists(confirmed)),
      // Last, as the conditions above are about it.
      db
        .update(emailLinks)
        .set({ usedAt: now })
        .where(
          and(
            eq(emailLinks.userId, owner.id),
            isNull(emailLinks.usedAt),
            inArray(
              emailLinks.userId,
              db.select({ id: users.id }).from(users).where(isNull(users.pendingEmail)),
            ),
          ),
        ),
    ]);
    if (user) return word;
  } catch (error) {
    throw takenError(error, owner) instanceof DomainError ? emailTaken() : error;
  }
  // Either it was used up this very moment, or the name stands in the way.
  await findEmailLink(db, token, now);
  throw emailTaken();
}

/** Gives up an address that was never confirmed; its link opens nothing any more. */
export async function cancelPendingEmail(
  db: Db,
  userId: string,
  { actor, now, requestId }: Act,
): Promise<UserRow> {
  const [[user]] = await db.batch([
    db.update(users).set({ pendingEmail: null, updatedAt: now }).where(eq(users.id, userId)).returning(),
    db
      .update(emailLinks)
      .set({ usedAt: now })
      .where(and(eq(emailLinks.userId, userId), isNull(emailLinks.usedAt))),
    auditEntry(db, actor, {
      at: now,
      action: "user.email_given_up",
      subjectType: "user",
      subjectId: userId,
      requestId,
    }),
  ]);
  return user!;
}

/** Takes an address out of every account that never confirmed it: its person asked to be forgotten. */
export async function forgetPendingEmail(db: Db, email: string): Promise<void> {
  await db.batch([
    db
      .update(users)
      .set({ pendingEmail: null })
      .where(sql`${users.pendingEmail} IS NOT NULL AND lower(${users.pendingEmail}) = ${email}`),
    db.delete(emailLinks).where(and(sql`${mailBox} = ${mailboxOf(email)}`, eq(emailLinks.email, email))),
  ]);
}
