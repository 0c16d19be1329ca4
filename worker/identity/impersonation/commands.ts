import { eq } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { HOUR_MS } from "../../../contract/durations.ts";
import type { Session, UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { sessions, users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { type Act, auditEntry } from "../audit/store.ts";
import type { EndedSession } from "../auth/commands.ts";
import { hashToken, newToken, SESSION_MS, sessionEnd } from "../auth/rules.ts";

/**
 * The user of the new session, its cookie token, and the ended sessions. The caller closes the sockets of the ended
 * sessions.
 */
type SwitchedSession = { user: UserRow; token: string; ended: EndedSession[] };

const ended = { id: sessions.id, userId: sessions.userId };

function newSession(
  db: Db,
  tokenHash: string,
  values: {
    userId: string;
    impersonatorId: string | null;
    signedInAt: number;
    secondFactorAt: number | null;
    lifetimeMs: number;
    userAgent: string | null;
  },
  now: number,
) {
  const { lifetimeMs, userAgent, ...userColumns } = values;
  return db.insert(sessions).values({
    ...userColumns,
    id: newId("ses"),
    tokenHash,
    userAgent: userAgent?.slice(0, 200) ?? null,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: sessionEnd(now, userColumns.signedInAt, lifetimeMs),
  });
}

/**
 * Replaces a super admin's session with one that has only the target's rights. The audit entry is in the same
 * batch.
 * @throws DomainError not_found, forbidden
 */
export async function startImpersonation(
  db: Db,
  session: Session,
  start: { targetUserId: string; userAgent: string | null },
  { actor, now, requestId }: Act,
): Promise<SwitchedSession> {
  const user = requireTarget(await findPerson(db, start.targetUserId));
  const token = newToken();
  // Starting and stopping an impersonation is not a new sign-in.
  const { signedInAt, secondFactorAt } = session;
  const given = { signedInAt, secondFactorAt, lifetimeMs: IMPERSONATION_MS, userAgent: start.userAgent };
  const userColumns = { userId: user.id, impersonatorId: session.user.id, ...given };
  const [endedSessions] = await db.batch([
    db.delete(sessions).where(eq(sessions.id, session.id)).returning(ended),
    newSession(db, hashToken(token), userColumns, now),
    auditEntry(
      db,
      { ...actor, asUserId: user.id },
      { at: now, action: "impersonation.start", subjectType: "user", subjectId: user.id, requestId },
    ),
  ]);
  return { user, token, ended: endedSessions };
}

/** Returns the audit entry for the end of an impersonation, for the batch that ends it. */
function stopEntry(db: Db, session: Session, { actor, now: at, requestId }: Act) {
  const subject = { subjectType: "user", subjectId: session.user.id };
  return auditEntry(db, actor, { at, action: "impersonation.stop", ...subject, requestId });
}

/**
 * Replaces an impersonated session with a session of the super admin.
 * @throws DomainError not_impersonating; unauthenticated if the super admin's account is no longer active
 */
export async function stopImpersonation(
  db: Db,
  session: Session,
  userAgent: string | null,
  act: Act,
): Promise<SwitchedSession> {
  const found = await findPerson(db, requireImpersonator(session));
  if (!found?.isActive) throw new DomainError("unauthenticated");
  const token = newToken();
  const { signedInAt, secondFactorAt } = session;
  const given = { signedInAt, secondFactorAt, lifetimeMs: SESSION_MS, userAgent };
  const userColumns = { userId: found.user.id, impersonatorId: null, ...given };
  const [endedSessions] = await db.batch([
    db.delete(sessions).where(eq(sessions.id, session.id)).returning(ended),
    newSession(db, hashToken(token), userColumns, act.now),
    stopEntry(db, session, act),
  ]);
  return { user: found.user, token, ended: endedSessions };
}

/** Ends an impersonated session when the admin signs out. The caller closes its sockets. */
export async function leaveImpersonation(db: Db, session: Session, act: Act): Promise<EndedSession[]> {
  const [endedSessions] = await db.batch([
    db.delete(sessions).where(eq(sessions.id, session.id)).returning(ended),
    stopEntry(db, session, act),
  ]);
  return endedSessions;
}

type Call = { method: string; pathname: string; route: string };

/** Returns the audit subject of a call, without any free text from its path. */
function subjectOf(call: Call) {
  return { subjectType: "call", subjectId: `${call.method} ${loggedPath(call.route, call.pathname)}` };
}

/**
 * Logs a call that may change data while impersonating, before it runs. Logs every such call, even if the feature
 * writes its own entry.
 * @param call the call's path, and the pattern of its route
 * @throws D1 errors: a call that cannot be logged must not run
 */
export async function recordImpersonatedCall(
  db: Db,
  call: Call,
  { actor, now: at, requestId }: Act,
): Promise<void> {
  await auditEntry(db, actor, { at, action: "impersonation.call", ...subjectOf(call), requestId });
}

/** Logs that an impersonated call was refused, with its status. Entries are immutable, so this adds another one. */
export async function recordRefusedCall(
  db: Db,
  call: Call,
  status: number,
  { actor, now: at, requestId }: Act,
): Promise<void> {
  const after = { status };
  await auditEntry(db, actor, { at, action: "impersonation.refused", ...subjectOf(call), after, requestId });
}

/** Finds a user by id. `isActive` is true if the user and, for team members, the owner are active. */
export async function findPerson(db: Db, id: string): Promise<{ user: UserRow; isActive: boolean } | null> {
  const owners = alias(users, "owners");
  const [row] = await db
    .select({ user: users, owner: owners })
    .from(users)
    .leftJoin(owners, eq(owners.id, users.teamOwnerId))
    .where(eq(users.id, id));
  if (!row) return null;
  const { user, owner } = row;
  return { user, isActive: user.isActive && (user.teamOwnerId === null || owner?.isActive === true) };
}

/** An impersonated session expires after this long, even if it is in use. */
const IMPERSONATION_MS = 4 * HOUR_MS;

/**
 * Checks that a super admin may impersonate a user.
 * @param target the user, and whether they (and a team member's owner) are active; null if there is no such user
 * @throws DomainError not_found for a missing, customer, inactive or removed account; forbidden for a super admin
 */
function requireTarget(target: { user: UserRow; isActive: boolean } | null): UserRow {
  if (!target?.isActive || target.user.userType === "customer" || target.user.removedAt !== null) {
    throw new DomainError("not_found", "No active provider or team member has this id");
  }
  // Impersonation must not grant another super admin's rights: super admins must act under their own name in the audit
  // log.
  if (target.user.isSuperAdmin) throw new DomainError("forbidden", "You can't impersonate a super admin");
  return target.user;
}

/** Our own ids. Any other part of a path may be a secret, such as a one-time link's token. */
const OWN_ID = /^(lead_[a-z-]{2,40}|user|ses|pur|bkg|pay|hold|link|bad|clm)_[0-9a-z]{12,40}$/;

/**
 * Returns a path that is safe to log: the route's pattern with only our own ids filled in.
 * @param pattern pattern of the matched route, such as `/api/lead-purchases/:id/archive`
 */
function loggedPath(pattern: string, pathname: string): string {
  const parts = pathname.split("/");
  return pattern
    .split("/")
    .map((part, index) => (part.startsWith(":") && OWN_ID.test(parts[index] ?? "") ? parts[index] : part))
    .join("/");
}

/**
 * Returns the admin behind an impersonated session.
 * @throws DomainError not_impersonating
 */
function requireImpersonator(session: { impersonatorId: string | null }): string {
  if (session.impersonatorId === null) throw new DomainError("not_impersonating");
  return session.impersonatorId;
}
