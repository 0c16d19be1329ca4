/** One-time links that confirm an email address. */

import { and, desc, eq, exists, gt, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { HOUR_MS } from "../../../contract/durations.ts";
import { hasDailyMaximum } from "../../outbox/channel-queries.ts";
import { enqueueEmail, enqueueNotice, type Notice, noticeTo } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { FactsChanged, guardedBatch } from "../../platform/db/guarded-batch.ts";
import { oneTimeSecrets } from "../tables.ts";
import { users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { type Act, auditEntry, type UnsignedAct } from "../audit/store.ts";
import { confirmEmailLink, emailChanged } from "../messages.ts";
import { translateUniqueError } from "./account-commands.ts";
import { createSecret, deleteSecretsTo, endSecrets, isToMailbox, isUsable } from "./one-time-secret-store.ts";
import { hashToken, MAIL_INTERVAL_MS, newToken, PASSWORD_LINK_MS } from "./rules.ts";

const EMAIL_LINK_MS = PASSWORD_LINK_MS;

/** Maximum confirmation emails per account and hour. A user who mistypes needs two or three. */
const MAX_LINKS_PER_HOUR = 5;

/**
 * Creates a link for an unconfirmed address and enqueues its email. Does nothing if the mailbox got a link in the last
 * five minutes, or if the mailbox has reached its daily or the account its hourly limit. Runs in one batch, so only one
 * of two concurrent calls succeeds. The link gets its secret when the email is sent.
 * @returns the email's id in the outbox, to send it immediately; null if no email was enqueued
 */
async function issueEmailLink(
  db: Db,
  person: { userId: string; email: string },
  { origin, now }: { origin: string; now: number },
): Promise<string | null> {
  const { userId, email } = person;
  const [id, messageId] = [newId("link"), newId("msg")];
  const { createdAt, purpose } = oneTimeSecrets;
  const recentLink = db
    .select({ id: oneTimeSecrets.id })
    .from(oneTimeSecrets)
    .where(and(isToMailbox(email), eq(purpose, "email"), gt(createdAt, now - MAIL_INTERVAL_MS)));
  const recentCount = sql`(SELECT count(*) FROM ${oneTimeSecrets}
    WHERE user_id = ${userId} AND purpose = 'email' AND created_at > ${now - HOUR_MS})`;
  const where = and(
    eq(users.id, userId),
    notExists(recentLink),
    sql`${recentCount} < ${MAX_LINKS_PER_HOUR}`,
    sql`NOT ${hasDailyMaximum(sql`${email}`, confirmEmailLink.name, now)}`,
  );
  const secret = { purpose: "email", hash: hashToken(newToken()), expiresAt: now + EMAIL_LINK_MS } as const;
  const message = { message: confirmEmailLink, to: email, userId, subject: { linkId: id, origin } };
  try {
    await guardedBatch(db, { from: users, where }, [
      // Other people may have access to the mailbox with an older link.
      endSecrets(db, userId, "email", now),
      createSecret(db, { id, ...secret, userId, email }, now),
      enqueueEmail(db, messageId, message, now),
    ]);
    return messageId;
  } catch (error) {
    if (error instanceof FactsChanged) return null;
    throw error;
  }
}

/**
 * Returns when an account may next request a confirmation email.
 * @returns epoch milliseconds; in the past if the account may request one now. Does not reveal other accounts'
 * requests.
 */
export async function nextMailAt(
  db: Db,
  person: { userId: string; email: string },
  now: number,
): Promise<number> {
  const rows = await db
    .select({
      isSame: sql<number>`${isToMailbox(person.email)}`,
      at: oneTimeSecrets.createdAt,
    })
    .from(oneTimeSecrets)
    .where(
      and(
        eq(oneTimeSecrets.userId, person.userId),
        eq(oneTimeSecrets.purpose, "email"),
        gt(oneTimeSecrets.createdAt, now - HOUR_MS),
      ),
    )
    .orderBy(desc(oneTimeSecrets.createdAt))
    .limit(MAX_LINKS_PER_HOUR);
  const last = rows.find(({ isSame }) => isSame);
  const mailboxAllowedAt = last ? last.at + MAIL_INTERVAL_MS : 0;
  return Math.max(mailboxAllowedAt, rows.length === MAX_LINKS_PER_HOUR ? rows.at(-1)!.at + HOUR_MS : 0);
}

const owners = alias(users, "owners");

/** SQL: the link is unused, unexpired and for its account's current pending address. */
const isPending = (token: string, now: number) =>
  and(
    isUsable({ hash: hashToken(token), purpose: "email" }, now),
    eq(owners.pendingEmail, oneTimeSecrets.email),
    eq(owners.isActive, true),
  );

/**
 * Returns the account and the address that a link confirms.
 * @throws DomainError link_ended if the link is used, expired or unknown
 */
export async function findEmailLink(
  db: Db,
  token: string,
  now: number,
): Promise<{ user: UserRow; email: string }> {
  const [row] = await db
    .select({ user: owners, email: owners.pendingEmail })
    .from(oneTimeSecrets)
    .innerJoin(owners, eq(owners.id, oneTimeSecrets.userId))
    .where(isPending(token, now));
  if (!row) throw new DomainError("link_ended");
  return { user: row.user, email: row.email! };
}

function emailTaken(): DomainError {
  return new DomainError(
    "email_taken",
    "This email now belongs to another account. Sign in to that one, or give this account a different email.",
  );
}

/**
 * Confirms the address of a link for its account. The batch requires a working link, and that no other account signs in
 * with the address. So only one of two concurrent calls succeeds. A refused link does not change.
 * @returns the notice to the previous address, already in the outbox
 * @throws DomainError link_ended; email_taken if another account has since confirmed the address
 */
export async function confirmEmail(
  context: Context,
  token: string,
  { now, requestId }: UnsignedAct,
): Promise<Notice> {
  const db = context.db;
  const { user: owner, email } = await findEmailLink(db, token, now);
  // Notify the previous address: its holder may have lost the account.
  const notice = owner.email === email ? null : noticeTo(context, owner, emailChanged);
  const others = alias(users, "others");
  const usernameConflict = db
    .select({ id: others.id })
    .from(others)
    .where(and(sql`lower(${others.username}) = lower(${email})`, ne(others.id, owner.id)));
  const usableLink = db
    .select({ id: oneTimeSecrets.id })
    .from(oneTimeSecrets)
    .innerJoin(owners, eq(owners.id, oneTimeSecrets.userId))
    .where(isPending(token, now));
  const where = and(eq(users.id, owner.id), exists(usableLink), notExists(usernameConflict));
  const entry = {
    at: now,
    action: "user.email_confirmed",
    subjectType: "user",
    subjectId: owner.id,
    requestId,
  };
  try {
    await guardedBatch(db, { from: users, where }, [
      db
        .update(users)
        .set({
          email,
          // Team members sign in by email.
          ...(owner.userType === "team_member" && { username: email }),
          pendingEmail: null,
          updatedAt: now,
        })
        .where(eq(users.id, owner.id)),
      auditEntry(db, { userId: owner.id, asUserId: null }, entry),
      ...enqueueNotice(db, notice, now),
      endSecrets(db, owner.id, "email", now),
    ]);
    return notice;
  } catch (error) {
    if (!(error instanceof FactsChanged))
      throw translateUniqueError(error, owner) instanceof DomainError ? emailTaken() : error;
  }
  // Either another request has just used the link, or another account signs in with the address.
  await findEmailLink(db, token, now);
  throw emailTaken();
}

/** Cancels an unconfirmed address and invalidates its link. */
export async function cancelPendingEmail(
  db: Db,
  userId: string,
  { actor, now, requestId }: Act,
): Promise<UserRow> {
  const [[user]] = await db.batch([
    db.update(users).set({ pendingEmail: null, updatedAt: now }).where(eq(users.id, userId)).returning(),
    endSecrets(db, userId, "email", now),
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

/** Removes an address from every account that has not confirmed it, when the address's owner requests erasure. */
export async function deletePendingEmail(db: Db, email: string): Promise<void> {
  await db.batch([
    db
      .update(users)
      .set({ pendingEmail: null })
      .where(sql`${users.pendingEmail} IS NOT NULL AND lower(${users.pendingEmail}) = ${email}`),
    deleteSecretsTo(db, email, "email"),
  ]);
}

// Sends emails to unconfirmed addresses, after the response.

type Recipient = Parameters<typeof issueEmailLink>[1];

async function sendLink(context: Context, recipient: Recipient, origin: string): Promise<void> {
  const messageId = await issueEmailLink(context.db, recipient, { origin, now: Date.now() });
  if (messageId !== null) await context.DELIVER?.([messageId]);
}

/** Emails a confirmation link to an account's pending address. */
export function mailConfirmation(
  c: { env: Context; executionCtx: Pick<ExecutionContext, "waitUntil">; req: { url: string } },
  { id: userId, pendingEmail: email }: UserRow,
): void {
  if (!email || !canSendEmail(c.env)) return;
  c.executionCtx.waitUntil(
    sendLink(c.env, { userId, email }, new URL(c.req.url).origin).catch((error: unknown) =>
      log("error", "confirm_mail_failed", { userId, error }),
    ),
  );
}
