import { and, eq, ne, or, sql } from "drizzle-orm";

import type { SignInMethod } from "../../../contract/auth.ts";
import type { Session, SocketSession, UserRow } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { liveSockets, type Place, sessions, users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { type Act, auditEntry } from "../audit/store.ts";
import { endSecrets } from "./one-time-secret-store.ts";
import { DUMMY_HASH, hashPassword, refuseWeakPassword, verifyPassword } from "./passwords.ts";
import { type findUserForLogin, isSessionUser, signedInAt, whereLive } from "./queries.ts";
import { hashToken, MAX_SESSION_MS, newToken, SESSION_MS, sessionEnd } from "./rules.ts";
import { recordSignIn, type SignIn } from "./sign-in-commands.ts";

/**
 * Checks a password.
 * @param found the user that matches the login; null if there is none
 * @throws DomainError invalid_credentials; content and timing do not reveal the cause. TryLater too_many_requests
 */
export async function authenticate(
  found: Awaited<ReturnType<typeof findUserForLogin>>,
  password: string,
): Promise<UserRow> {
  const matches = await verifyPassword(password, found?.user.passwordHash ?? DUMMY_HASH);
  if (!found?.isActive || !matches) throw new DomainError("invalid_credentials");
  return found.user;
}

/** Sign-in methods that need more than a password. */
export const WITH_SECOND_FACTOR: ReadonlySet<SignInMethod> = new Set([
  "passkey",
  "password_and_passkey",
  "recovery_code",
]);

/**
 * Starts a session and records the sign-in in the account's list.
 * @returns the token for the cookie; D1 stores only a hash of the token
 */
export async function startSession(db: Db, input: SignIn): Promise<string> {
  const token = newToken();
  const session = db.insert(sessions).values({
    id: newId("ses"),
    tokenHash: hashToken(token),
    userId: input.userId,
    userAgent: input.userAgent?.slice(0, 200) ?? null,
    createdAt: input.now,
    signedInAt: input.now,
    secondFactorAt: WITH_SECOND_FACTOR.has(input.method) ? input.now : null,
    lastSeenAt: input.now,
    expiresAt: input.now + SESSION_MS,
  });
  await db.batch([session, recordSignIn(db, input)]);
  log("info", "sign_in", { userId: input.userId, method: input.method });
  return token;
}

/** Extends a session in use, but never beyond its maximum lifetime. */
export async function touchSession(db: Db, session: Session, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now, expiresAt: sessionEnd(now, session.signedInAt) })
    .where(eq(sessions.id, session.id));
}

/** An ended session. The caller must still close its sockets. */
export type EndedSession = { id: string; userId: string };

const ended = { id: sessions.id, userId: sessions.userId };

/** Ends a session. The caller closes its sockets. */
export function endSession(db: Db, sessionId: string): Promise<EndedSession[]> {
  return db.delete(sessions).where(eq(sessions.id, sessionId)).returning(ended);
}

/**
 * Changes a user's password and ends all their other sessions, in one batch.
 * @param session the current session, which stays open
 * @returns the ended sessions; the caller closes their sockets
 * @throws DomainError invalid_input if the current password is wrong, the new one is common, or a temporary password
 *   is reused
 */
export async function changePassword(
  context: Context,
  session: Session,
  form: { currentPassword: string; newPassword: string },
  { actor, now, requestId }: Act,
): Promise<EndedSession[]> {
  const { db } = context;
  const { user } = session;
  if (!(await verifyPassword(form.currentPassword, user.passwordHash))) {
    const message = "Current password is incorrect";
    throw new DomainError("invalid_input", message, { currentPassword: message });
  }
  // Another person issued the temporary password and knows it.
  if (user.mustChangePassword && form.newPassword === form.currentPassword) {
    const message = "Choose a different password from the temporary one";
    throw new DomainError("invalid_input", message, { newPassword: message });
  }
  await refuseWeakPassword(context.settings, "newPassword", form.newPassword, user);
  const passwordHash = await hashPassword(form.newPassword);
  const [, endedSessions] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, mustChangePassword: false, updatedAt: now })
      .where(eq(users.id, user.id)),
    db
      .delete(sessions)
      // Ends the user's own sessions and those in which they impersonate another user.
      .where(
        and(
          or(eq(sessions.userId, user.id), eq(sessions.impersonatorId, user.id)),
          ne(sessions.id, session.id),
        ),
      )
      .returning(ended),
    // Links from earlier emails must not replace the new password.
    endSecrets(db, user.id, "password", now),
    auditEntry(db, actor, {
      at: now,
      action: "user.password_changed",
      subjectType: "user",
      subjectId: user.id,
      requestId,
    }),
  ]);
  return endedSessions;
}

export async function setWatchedRegions(
  db: Db,
  userId: string,
  regions: string[],
  now: number,
): Promise<void> {
  await db
    .update(users)
    .set({ watchedRegions: [...new Set(regions)], updatedAt: now })
    .where(eq(users.id, userId));
}

// Records the Durable Objects where a session may have sockets, before each socket opens.

const ownRoom = sql<Place>`'room:' || coalesce(${users.teamOwnerId}, ${users.id})`;

/**
 * SQL: the session may open a socket, by the same rules as the gate (`socketScope`). A refused session leaves no
 * record.
 */
const canOpenSocket = and(
  isSessionUser,
  sql`${users.userType} <> 'customer'`,
  sql`(NOT ${users.mustChangePassword} OR ${sessions.impersonatorId} IS NOT NULL)`,
)!;

/**
 * Records that a live session may have a socket at a place, in one transaction. If the session ends concurrently,
 * either its end finds the record or nothing is recorded.
 * @param place a region's exchange, or the room of the session's own business
 * @returns the session and its user; null if the session has ended or never existed. Do not open a socket then.
 */
export async function recordSocket(
  db: Db,
  tokenHash: string,
  place: { region: string } | "own-room",
  now: number,
): Promise<SocketSession | null> {
  const name = place === "own-room" ? ownRoom : sql<Place>`${`region:${place.region}`}`;
  const note = { sessionId: sessions.id, place: name.as("place"), ended: sql<boolean>`0`.as("ended") };
  // Alias the columns: in a batch, drizzle drops one of two columns with the same name.
  const who = {
    id: sql<string>`${sessions.id}`.as("session_id"),
    impersonatorId: sessions.impersonatorId,
    expiresAt: sql<number>`min(${sessions.expiresAt}, ${signedInAt} + ${MAX_SESSION_MS})`.as("ends_at"),
    userId: sql<string>`${users.id}`.as("person_id"),
    userType: users.userType,
    teamOwnerId: users.teamOwnerId,
    mustChangePassword: users.mustChangePassword,
  };
  const [, [found]] = await db.batch([
    db
      .insert(liveSockets)
      .select(
        whereLive(db.select(note).from(sessions).innerJoin(users, canOpenSocket).$dynamic(), tokenHash, now),
      )
      .onConflictDoNothing(),
    whereLive(db.select(who).from(sessions).innerJoin(users, isSessionUser).$dynamic(), tokenHash, now),
  ]);
  if (!found) return null;
  const { id, impersonatorId, expiresAt, userId, ...person } = found;
  return { id, impersonatorId, expiresAt, user: { id: userId, ...person } };
}
