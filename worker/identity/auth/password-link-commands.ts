/** One-time links to set a new password. */
import type { UserRow } from "../../platform/session.ts";
import type { Act, UnsignedAct } from "../audit/act.ts";
import { and, eq, exists, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";

import type { PasswordLink } from "../../../contract/team.ts";
import { type Actor, auditWhen, type SYSTEM_ACTOR } from "../audit/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { auditLog, messages, passwordLinks, sessions, users } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { type AccountEmail, enqueueEmail } from "../../outbox/commands.ts";
import type { EndedSession } from "./commands.ts";
import { refuseWeakPassword } from "./password-rules.ts";
import { hashPassword } from "./password-hash.ts";
import { hashToken, newToken } from "./tokens.ts";
import { PASSWORD_LINK_MS } from "./rules.ts";

/**
 * Creates a link to set a user's new password. The link works once, for 24 hours, and replaces earlier links. Only its
 * hash is stored, so it cannot be shown again. The caller must check the right to issue it.
 * @param act the act of an owner or a super admin, or of the system if the user requested an email
 * @param email the email to the user, enqueued in the same batch; null for none. `isWanted`: a condition on the email.
 * Without the email there is no new link, and earlier links still work.
 */
export async function issuePasswordLink(
  db: Db,
  userId: string,
  { actor, now, requestId }: Act<Actor | typeof SYSTEM_ACTOR>,
  email: {
    id: string;
    write: (linkId: string) => Omit<AccountEmail, "userId">;
    isWanted?: SQL;
  } | null = null,
): Promise<PasswordLink> {
  const token = newToken();
  const id = newId("link");
  const expiresAt = now + PASSWORD_LINK_MS;
  const isIssued = email
    ? exists(db.select({ id: messages.id }).from(messages).where(eq(messages.id, email.id)))
    : sql`true`;
  const issue = [
    // Other people may have access to the mailbox or chat with an older link.
    db
      .update(passwordLinks)
      .set({ usedAt: now })
      .where(and(eq(passwordLinks.userId, userId), isNull(passwordLinks.usedAt), isIssued)),
    db.insert(passwordLinks).select(
      db
        .select({
          id: sql`${id}`.as("id"),
          tokenHash: sql`${hashToken(token)}`.as("token_hash"),
          userId: sql`${userId}`.as("user_id"),
          issuedByUserId: sql`${actor.userId}`.as("issued_by_user_id"),
          createdAt: sql`${now}`.as("created_at"),
          expiresAt: sql`${expiresAt}`.as("expires_at"),
          usedAt: sql`NULL`.as("used_at"),
        })
        .from(sql`(SELECT 1)`)
        .where(isIssued),
    ),
    auditWhen(db, isIssued, actor, {
      at: now,
      action: "user.password_link_issued",
      subjectType: "user",
      subjectId: userId,
      after: { linkId: id, expiresAt },
      requestId,
    }),
  ] as const;
  const message = email && enqueueEmail(db, email.id, { ...email.write(id), userId }, now, email.isWanted);
  await db.batch(message ? [message, ...issue] : issue);
  return { path: `/reset-password/${token}`, expiresAt };
}

function isUsable(tokenHash: string, now: number) {
  return and(
    eq(passwordLinks.tokenHash, tokenHash),
    isNull(passwordLinks.usedAt),
    gt(passwordLinks.expiresAt, now),
  );
}

/**
 * Returns the owner of a password link.
 * @throws DomainError link_ended if the link is used, expired or unknown
 */
export async function findLinkOwner(db: Db, token: string, now: number): Promise<UserRow> {
  const [row] = await db
    .select({ user: users })
    .from(passwordLinks)
    .innerJoin(users, eq(users.id, passwordLinks.userId))
    .where(and(isUsable(hashToken(token), now), eq(users.isActive, true)));
  if (!row) throw new DomainError("link_ended");
  return row.user;
}

/**
 * Sets a new password by link, and ends all sessions and password links of that user. All statements run in one batch
 * and require a working link, so only one of two concurrent calls succeeds.
 * @returns the user, and the ended sessions; the caller closes their sockets
 * @throws DomainError link_ended; invalid_input for a common password, after which the link still works
 */
export async function redeemPasswordLink(
  context: Context,
  form: { token: string; newPassword: string },
  { now, requestId }: UnsignedAct,
): Promise<{ user: UserRow; ended: EndedSession[] }> {
  const { db } = context;
  const linkOwner = await findLinkOwner(db, form.token, now);
  await refuseWeakPassword(context.settings, "newPassword", form.newPassword, linkOwner);
  const tokenHash = hashToken(form.token);
  const passwordHash = await hashPassword(form.newPassword);
  const owner = db
    .select({ userId: passwordLinks.userId })
    .from(passwordLinks)
    .where(isUsable(tokenHash, now));
  const [[user], ended] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, mustChangePassword: false, updatedAt: now })
      .where(and(inArray(users.id, owner), eq(users.isActive, true)))
      .returning(),
    db
      .delete(sessions)
      .where(or(inArray(sessions.userId, owner), inArray(sessions.impersonatorId, owner)))
      .returning({ id: sessions.id, userId: sessions.userId }),
    db.insert(auditLog).select(
      db
        .select({
          id: sql`NULL`.as("id"),
          at: sql`${now}`.as("at"),
          actorUserId: passwordLinks.userId,
          asUserId: sql`NULL`.as("as_user_id"),
          action: sql`'user.password_reset'`.as("action"),
          subjectType: sql`'user'`.as("subject_type"),
          subjectId: sql`${passwordLinks.userId}`.as("subject_id"),
          before: sql`NULL`.as("before"),
          after: sql`json_object('linkId', ${passwordLinks.id})`.as("after"),
          requestId: sql`${requestId}`.as("request_id"),
        })
        .from(passwordLinks)
        .where(isUsable(tokenHash, now)),
    ),
    db
      .update(passwordLinks)
      .set({ usedAt: now })
      .where(and(inArray(passwordLinks.userId, owner), isNull(passwordLinks.usedAt))),
  ]);
  if (!user) throw new DomainError("link_ended");
  return { user, ended };
}
