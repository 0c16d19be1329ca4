import { and, eq, ne, or } from "drizzle-orm";

import type { CustomerSignup, ProviderSignup } from "../../contract/auth.ts";
import type { Db } from "../db/client.ts";
import { auditLog, sessions, users } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { findMixUp, type findUserForLogin, type Session } from "./queries.ts";
import {
  hashPassword,
  hashToken,
  newToken,
  NOBODY_HASH,
  SESSION_MS,
  type UserRow,
  verifyPassword,
} from "./rules.ts";

/**
 * Checks a password.
 * @param found whom the login names; null for nobody
 * @throws DomainError invalid_credentials, the same and after the same time whatever was wrong
 */
export async function authenticate(
  found: Awaited<ReturnType<typeof findUserForLogin>>,
  password: string,
): Promise<UserRow> {
  const matches = await verifyPassword(password, found?.user.passwordHash ?? NOBODY_HASH);
  if (!found?.isActive || !matches) throw new DomainError("invalid_credentials");
  return found.user;
}

/** Starts a session. Returns the token for the cookie; it cannot be read back later. */
export async function startSession(
  db: Db,
  input: { userId: string; userAgent: string | null; now: number },
): Promise<string> {
  const token = newToken();
  await db.insert(sessions).values({
    id: newId("ses"),
    tokenHash: await hashToken(token),
    userId: input.userId,
    userAgent: input.userAgent?.slice(0, 200) ?? null,
    createdAt: input.now,
    lastSeenAt: input.now,
    expiresAt: input.now + SESSION_MS,
  });
  return token;
}

/** Moves a session's end because it is in use. */
export async function touchSession(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now, expiresAt: now + SESSION_MS })
    .where(eq(sessions.id, sessionId));
}

export type EndedSession = { id: string; userId: string; liveRegions: string[] };

const ended = { id: sessions.id, userId: sessions.userId, liveRegions: sessions.liveRegions };

/** Ends one session. The caller closes its sockets in the regions returned. */
export function endSession(db: Db, sessionId: string): Promise<EndedSession[]> {
  return db.delete(sessions).where(eq(sessions.id, sessionId)).returning(ended);
}

/**
 * Changes a person's password and ends all their other sessions, in one batch.
 * @param session the one that asks and lives on
 * @returns the sessions that ended; the caller closes their sockets
 * @throws DomainError invalid_input when the current password is another one
 */
export async function changePassword(
  db: Db,
  session: Session,
  form: { currentPassword: string; newPassword: string },
  audit: { now: number; requestId: string },
): Promise<EndedSession[]> {
  const { user } = session;
  if (!(await verifyPassword(form.currentPassword, user.passwordHash))) {
    const message = "Current password is incorrect";
    throw new DomainError("invalid_input", message, { currentPassword: message });
  }
  const passwordHash = await hashPassword(form.newPassword);
  const [, gone] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, mustChangePassword: false, updatedAt: audit.now })
      .where(eq(users.id, user.id)),
    db
      .delete(sessions)
      // Theirs, and those in which they look through somebody else's eyes.
      .where(
        and(
          or(eq(sessions.userId, user.id), eq(sessions.impersonatorId, user.id)),
          ne(sessions.id, session.id),
        ),
      )
      .returning(ended),
    db.insert(auditLog).values({
      at: audit.now,
      actorUserId: user.id,
      action: "user.password_changed",
      subjectType: "user",
      subjectId: user.id,
      requestId: audit.requestId,
    }),
  ]);
  return gone;
}

/**
 * Remembers that a session holds a socket in a region, so that its end can close it.
 * @returns false when the session has ended meanwhile: open no socket then
 */
export async function rememberLiveRegion(db: Db, sessionId: string, region: string): Promise<boolean> {
  const [row] = await db
    .select({ liveRegions: sessions.liveRegions })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  if (!row) return false;
  if (row.liveRegions.includes(region)) return true;
  const updated = await db
    .update(sessions)
    .set({ liveRegions: [...row.liveRegions, region] })
    .where(eq(sessions.id, sessionId))
    .returning({ id: sessions.id });
  return updated.length > 0;
}

function taken(field: "username" | "email"): DomainError {
  return field === "username"
    ? new DomainError("username_taken", undefined, { username: "Username already exists" })
    : new DomainError("email_taken", undefined, { email: "Email already registered" });
}

/** Turns D1's word on a UNIQUE index into ours. */
function asTaken(error: unknown): never {
  const text = `${error} ${error instanceof Error ? (error.cause ?? "") : ""}`;
  if (text.includes("users_username")) throw taken("username");
  if (text.includes("users_email")) throw taken("email");
  throw error;
}

type NewUser = typeof users.$inferInsert;

async function insertUser(db: Db, user: NewUser, audit: { actorUserId: string | null; requestId: string }) {
  // Login takes either: an account named like another's address would take that login away.
  const mixUp = await findMixUp(db, user);
  if (mixUp) throw taken(mixUp);
  const entry = {
    at: user.createdAt,
    actorUserId: audit.actorUserId ?? user.id,
    action: "user.created",
    subjectType: "user",
    subjectId: user.id,
    after: { userType: user.userType, username: user.username },
    requestId: audit.requestId,
  };
  try {
    const [rows] = await db.batch([
      db.insert(users).values(user).returning(),
      db.insert(auditLog).values(entry),
    ]);
    return rows[0]!;
  } catch (error) {
    return asTaken(error);
  }
}

/**
 * Creates a provider. Rights are ours to give: nobody signs up verified or as a super admin.
 * @param audit who did it: the new provider (null) or a super admin
 * @throws DomainError username_taken, email_taken
 */
export async function createProvider(
  db: Db,
  form: ProviderSignup,
  now: number,
  audit: { actorUserId: string | null; requestId: string },
): Promise<UserRow> {
  return insertUser(
    db,
    {
      id: newId("user"),
      username: form.username,
      email: form.email ?? null,
      passwordHash: await hashPassword(form.password),
      userType: "provider",
      firstName: form.firstName,
      lastName: form.lastName,
      phone: form.phone,
      companyName: form.companyName,
      businessAddress: form.businessAddress,
      abn: form.abn ?? null,
      insuranceDetails: form.insuranceDetails ?? null,
      serviceAreas: form.serviceAreas ?? null,
      licenseNumber: form.licenseNumber ?? null,
      createdAt: now,
      updatedAt: now,
    },
    audit,
  );
}

/** Creates a customer. @throws DomainError username_taken, email_taken */
export async function createCustomer(
  db: Db,
  form: CustomerSignup,
  now: number,
  requestId: string,
): Promise<UserRow> {
  return insertUser(
    db,
    {
      id: newId("user"),
      username: form.username,
      email: form.email ?? null,
      passwordHash: await hashPassword(form.password),
      userType: "customer",
      firstName: form.firstName,
      lastName: form.lastName,
      phone: form.phone ?? null,
      createdAt: now,
      updatedAt: now,
    },
    { actorUserId: null, requestId },
  );
}

/** Sets the regions whose leads a person's dashboard shows. */
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
