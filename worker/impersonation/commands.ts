import { eq } from "drizzle-orm";

import type { Act } from "../audit/act.ts";
import { auditEntry } from "../audit/commands.ts";
import type { EndedSession } from "../auth/commands.ts";
import type { Session, UserRow } from "../platform/session.ts";
import { hashToken, newToken } from "../auth/tokens.ts";
import { SESSION_MS, sessionEnd } from "../auth/rules.ts";
import type { Db } from "../db/client.ts";
import { sessions } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { findPerson } from "./queries.ts";
import { IMPERSONATION_MS, loggedPath, requireImpersonator, requireTarget } from "./rules.ts";

/** A person signed in anew: the cookie's token, and the sessions whose sockets have to be closed. */
type Changed = { user: UserRow; token: string; ended: EndedSession[] };

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
  const { lifetimeMs, userAgent, ...who } = values;
  return db.insert(sessions).values({
    ...who,
    id: newId("ses"),
    tokenHash,
    userAgent: userAgent?.slice(0, 200) ?? null,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: sessionEnd(now, who.signedInAt, lifetimeMs),
  });
}

/**
 * Swaps a super admin's session for one that has a target's rights and no others; the log's line is
 * written with it.
 * @throws DomainError not_found, forbidden
 */
export async function startImpersonation(
  db: Db,
  session: Session,
  start: { targetUserId: string; userAgent: string | null },
  { actor, now, requestId }: Act,
): Promise<Changed> {
  const user = requireTarget(await findPerson(db, start.targetUserId));
  const token = newToken();
  // Going and coming back is no new sign-in.
  const { signedInAt, secondFactorAt } = session;
  const given = { signedInAt, secondFactorAt, lifetimeMs: IMPERSONATION_MS, userAgent: start.userAgent };
  const who = { userId: user.id, impersonatorId: session.user.id, ...given };
  const [gone] = await db.batch([
    db.delete(sessions).where(eq(sessions.id, session.id)).returning(ended),
    newSession(db, hashToken(token), who, now),
    auditEntry(
      db,
      { ...actor, asUserId: user.id },
      { at: now, action: "impersonation.start", subjectType: "user", subjectId: user.id, requestId },
    ),
  ]);
  return { user, token, ended: gone };
}

/** The log's line about an impersonation's end, for the batch that ends it. */
function stopEntry(db: Db, session: Session, { actor, now: at, requestId }: Act) {
  const subject = { subjectType: "user", subjectId: session.user.id };
  return auditEntry(db, actor, { at, action: "impersonation.stop", ...subject, requestId });
}

/**
 * Swaps an impersonated session back for the super admin's own.
 * @throws DomainError not_impersonating; unauthenticated when the super admin's account is gone
 */
export async function stopImpersonation(
  db: Db,
  session: Session,
  userAgent: string | null,
  act: Act,
): Promise<Changed> {
  const found = await findPerson(db, requireImpersonator(session));
  if (!found?.isActive) throw new DomainError("unauthenticated");
  const token = newToken();
  const { signedInAt, secondFactorAt } = session;
  const given = { signedInAt, secondFactorAt, lifetimeMs: SESSION_MS, userAgent };
  const who = { userId: found.user.id, impersonatorId: null, ...given };
  const [gone] = await db.batch([
    db.delete(sessions).where(eq(sessions.id, session.id)).returning(ended),
    newSession(db, hashToken(token), who, act.now),
    stopEntry(db, session, act),
  ]);
  return { user: found.user, token, ended: gone };
}

/** Ends an impersonated session by signing out altogether. The caller closes its sockets. */
export async function leaveImpersonation(db: Db, session: Session, act: Act): Promise<EndedSession[]> {
  const [gone] = await db.batch([
    db.delete(sessions).where(eq(sessions.id, session.id)).returning(ended),
    stopEntry(db, session, act),
  ]);
  return gone;
}

type Call = { method: string; pathname: string; route: string };

/** What a call is to the log: never the words in its address. */
function subjectOf(call: Call) {
  return { subjectType: "call", subjectId: `${call.method} ${loggedPath(call.route, call.pathname)}` };
}

/**
 * Notes a change asked for while impersonating, before it is made: whatever a feature writes itself,
 * nothing done through somebody else's eyes escapes the log.
 * @param call its path, and the pattern of the route that answers it
 * @throws D1's errors: what cannot be logged is not done
 */
export async function noteImpersonatedCall(
  db: Db,
  call: Call,
  { actor, now: at, requestId }: Act,
): Promise<void> {
  await auditEntry(db, actor, { at, action: "impersonation.call", ...subjectOf(call), requestId });
}

/** Marks such a call as refused, with its answer's status: it changed nothing. Lines are never changed, so it is another one. */
export async function noteRefusedCall(
  db: Db,
  call: Call,
  status: number,
  { actor, now: at, requestId }: Act,
): Promise<void> {
  const after = { status };
  await auditEntry(db, actor, { at, action: "impersonation.refused", ...subjectOf(call), after, requestId });
}
