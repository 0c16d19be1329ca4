/** One-time links with which somebody who forgot their password sets a new one. */
import type { UserRow } from "../platform/session.ts";
import type { Act, UnsignedAct } from "../audit/act.ts";
import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";

import type { PasswordLink } from "../../contract/team.ts";
import { type Actor, auditEntry, type SYSTEM_ACTOR } from "../audit/commands.ts";
import type { Db } from "../db/client.ts";
import { auditLog, passwordLinks, sessions, users } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { type AccountEmail, writeEmail } from "../outbox/enqueue-commands.ts";
import type { EndedSession } from "./commands.ts";
import { refuseWeakPassword } from "./password-rules.ts";
import { hashPassword } from "./password-hash.ts";
import { hashToken, newToken } from "./tokens.ts";
import { PASSWORD_LINK_MS } from "./rules.ts";

/**
 * Makes a link for a user's new password. It works once and for 24 hours; only its hash is stored, so it
 * can be told this once and never again. Links made before end with it. The caller has checked the right to issue it.
 * @param act an owner's or a super admin's; the system's when the person asked by email
 * @param email what its person is told of it, written down in the same batch; null for nothing
 */
export async function issuePasswordLink(
  db: Db,
  userId: string,
  { actor, now, requestId }: Act<Actor | typeof SYSTEM_ACTOR>,
  email: { id: string; write: (linkId: string) => Omit<AccountEmail, "userId"> } | null = null,
): Promise<PasswordLink> {
  const token = newToken();
  const id = newId("link");
  const expiresAt = now + PASSWORD_LINK_MS;
  await db.batch([
    // An older one may lie in a mail box or a chat that others read.
    db
      .update(passwordLinks)
      .set({ usedAt: now })
      .where(and(eq(passwordLinks.userId, userId), isNull(passwordLinks.usedAt))),
    db.insert(passwordLinks).values({
      id,
      tokenHash: hashToken(token),
      userId,
      issuedByUserId: actor.userId,
      createdAt: now,
      expiresAt,
    }),
    auditEntry(db, actor, {
      at: now,
      action: "user.password_link_issued",
      subjectType: "user",
      subjectId: userId,
      after: { linkId: id, expiresAt },
      requestId,
    }),
    ...(email ? [writeEmail(db, email.id, { ...email.write(id), userId }, now)] : []),
  ]);
  return { path: `/reset-password/${token}`, expiresAt };
}

function alive(tokenHash: string, now: number) {
  return and(
    eq(passwordLinks.tokenHash, tokenHash),
    isNull(passwordLinks.usedAt),
    gt(passwordLinks.expiresAt, now),
  );
}

/** Whose new password a link sets. @throws DomainError link_ended when it is used, too old or made up */
export async function findLinkOwner(db: Db, token: string, now: number): Promise<UserRow> {
  const [row] = await db
    .select({ user: users })
    .from(passwordLinks)
    .innerJoin(users, eq(users.id, passwordLinks.userId))
    .where(and(alive(hashToken(token), now), eq(users.isActive, true)));
  if (!row) throw new DomainError("link_ended");
  return row.user;
}

/**
 * Sets a new password by link, ends every session of that person and every link to their account. One
 * batch, each statement on the condition that the link still works: of two at once, one does it.
 * @returns whose password it is now, and the sessions that ended; the caller closes their sockets
 * @throws DomainError link_ended; invalid_input for a password that is guessed first, which leaves the link alive
 */
export async function redeemPasswordLink(
  db: Db,
  form: { token: string; newPassword: string },
  { now, requestId }: UnsignedAct,
): Promise<{ user: UserRow; ended: EndedSession[] }> {
  refuseWeakPassword("newPassword", form.newPassword, await findLinkOwner(db, form.token, now));
  const tokenHash = hashToken(form.token);
  const passwordHash = await hashPassword(form.newPassword);
  const owner = db.select({ userId: passwordLinks.userId }).from(passwordLinks).where(alive(tokenHash, now));
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
        .where(alive(tokenHash, now)),
    ),
    db
      .update(passwordLinks)
      .set({ usedAt: now })
      .where(and(inArray(passwordLinks.userId, owner), isNull(passwordLinks.usedAt))),
  ]);
  if (!user) throw new DomainError("link_ended");
  return { user, ended };
}
