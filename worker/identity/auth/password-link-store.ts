/** One-time links to set a new password. */

import { and, eq, exists, gt, isNull, notExists, or, type SQL, sql } from "drizzle-orm";

import type { PasswordLink } from "../../../contract/team.ts";
import { type AccountEmail, enqueueEmail } from "../../outbox/commands.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch } from "../../platform/db/guarded-batch.ts";
import { oneTimeSecrets } from "../tables.ts";
import { messages } from "../../platform/db/messages.ts";
import { sessions, users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import {
  type Act,
  type Actor,
  auditEntry,
  auditWhen,
  SYSTEM_ACTOR,
  type UnsignedAct,
} from "../audit/store.ts";
import { passwordLink } from "../messages.ts";
import type { EndedSession } from "./commands.ts";
import { createSecret, endSecrets, isUsable } from "./one-time-secret-store.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";
import { findUserForLogin } from "./queries.ts";
import { hashToken, MAIL_INTERVAL_MS, newToken, PASSWORD_LINK_MS } from "./rules.ts";

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
    endSecrets(db, userId, "password", now, isIssued),
    createSecret(
      db,
      { id, purpose: "password", hash: hashToken(token), userId, data: actor.userId, expiresAt },
      now,
      isIssued,
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

/**
 * Returns a password link and its owner.
 * @throws DomainError link_ended if the link is used, expired or unknown
 */
export async function findPasswordLink(
  db: Db,
  token: string,
  now: number,
): Promise<{ linkId: string; user: UserRow }> {
  const [row] = await db
    .select({ linkId: oneTimeSecrets.id, user: users })
    .from(oneTimeSecrets)
    .innerJoin(users, eq(users.id, oneTimeSecrets.userId))
    .where(and(isUsable({ hash: hashToken(token), purpose: "password" }, now), eq(users.isActive, true)));
  if (!row) throw new DomainError("link_ended");
  return row;
}

/**
 * Sets a new password by link, and ends all sessions and password links of that user. The batch requires a working link,
 * so only one of two concurrent calls succeeds.
 * @returns the user, and the ended sessions; the caller closes their sockets
 * @throws DomainError link_ended; invalid_input for a common password, after which the link still works
 */
export async function redeemPasswordLink(
  context: Context,
  form: { token: string; newPassword: string },
  { now, requestId }: UnsignedAct,
): Promise<{ user: UserRow; ended: EndedSession[] }> {
  const { db } = context;
  const { linkId, user: owner } = await findPasswordLink(db, form.token, now);
  await refuseWeakPassword(context.settings, "newPassword", form.newPassword, owner);
  const passwordHash = await hashPassword(form.newPassword);
  const link = { hash: hashToken(form.token), purpose: "password" } as const;
  const isActive = exists(
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, owner.id), eq(users.isActive, true))),
  );
  const guard = {
    from: oneTimeSecrets,
    where: and(isUsable(link, now), isActive),
    refusal: new DomainError("link_ended"),
  };
  const [[user], ended] = await guardedBatch(db, guard, [
    db
      .update(users)
      .set({ passwordHash, mustChangePassword: false, updatedAt: now })
      .where(eq(users.id, owner.id))
      .returning(),
    db
      .delete(sessions)
      .where(or(eq(sessions.userId, owner.id), eq(sessions.impersonatorId, owner.id)))
      .returning({ id: sessions.id, userId: sessions.userId }),
    auditEntry(
      db,
      { userId: owner.id, asUserId: null },
      {
        at: now,
        action: "user.password_reset",
        subjectType: "user",
        subjectId: owner.id,
        after: { linkId },
        requestId,
      },
    ),
    endSecrets(db, owner.id, "password", now),
  ]);
  return { user: user!, ended };
}

/**
 * Sends a password link to a user who forgot their password, if the user exists and has an email. Runs after the
 * response, so that content and timing do not reveal whether the account exists.
 * @param login username or email
 * @param origin origin of the link, e.g. "https://naturestrip.example"
 */
export async function mailPasswordLink(
  context: Context,
  login: string,
  { origin, now, requestId }: UnsignedAct & { origin: string },
): Promise<void> {
  const db = context.db;
  try {
    const found = await findUserForLogin(db, login);
    if (!found?.isActive || !found.user.email) return;
    const justMailed = db
      .select({ id: oneTimeSecrets.id })
      .from(oneTimeSecrets)
      .where(
        and(
          eq(oneTimeSecrets.userId, found.user.id),
          eq(oneTimeSecrets.purpose, "password"),
          isNull(oneTimeSecrets.data),
          gt(oneTimeSecrets.createdAt, now - MAIL_INTERVAL_MS),
        ),
      );
    const [act, to] = [{ actor: SYSTEM_ACTOR, now, requestId }, found.user.email];
    const id = newId("msg");
    // The outbox creates the link's secret when it sends the email. The token issued here is never shown.
    const write = (linkId: string) => ({ message: passwordLink, to, subject: { linkId, origin } });
    await issuePasswordLink(db, found.user.id, act, { id, write, isWanted: notExists(justMailed) });
    await context.DELIVER?.([id]);
  } catch (error) {
    log("error", "password_mail_failed", { error });
  }
}
