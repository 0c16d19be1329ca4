import { and, count, eq, exists, gt, ne, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteSelect } from "drizzle-orm/sqlite-core";

import type { CurrentUser } from "../../../contract/auth.ts";
import { MINUTE_MS } from "../../../contract/durations.ts";
import { normaliseUsername } from "../../../contract/names.ts";
import { isRegion } from "../../../contract/regions.ts";
import type { Session, UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { signIns } from "../tables.ts";
import { sessions, users } from "../../platform/db/users.ts";
import { businessOf, MAX_SESSION_MS, mustChangePassword } from "./rules.ts";

export const signedInAt = sql<number>`coalesce(${sessions.signedInAt}, ${sessions.createdAt})`;

const owners = alias(users, "owners");
const admins = alias(users, "admins");

/**
 * Filters a selection from `sessions` and `users` to the live session with a token's hash. A session is not live if it
 * has ended, or if its user or team owner is inactive.
 * @param now epoch ms; a placeholder, like the hash, in a prepared statement
 */
export function whereLive<Selection extends SQLiteSelect>(
  selection: Selection,
  tokenHash: string | Placeholder,
  now: number | Placeholder,
) {
  return selection
    .leftJoin(owners, eq(owners.id, users.teamOwnerId))
    .leftJoin(admins, eq(admins.id, sessions.impersonatorId))
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        gt(sessions.expiresAt, now),
        // A session ends after its maximum, even if its row says a later time.
        sql`${signedInAt} + ${MAX_SESSION_MS} > ${now}`,
        eq(users.isActive, true),
        or(sql`${users.teamOwnerId} IS NULL`, eq(owners.isActive, true)),
        // While impersonating, the admin must still be a super admin, and the target must not be one.
        or(
          sql`${sessions.impersonatorId} IS NULL`,
          and(eq(admins.isActive, true), eq(admins.isSuperAdmin, true), eq(users.isSuperAdmin, false)),
        ),
      ),
    );
}

export const isSessionUser = eq(users.id, sessions.userId);

/** Prepares the statement of `findSession`. Building it takes longer than running it. */
const prepareSession = (db: Db) =>
  whereLive(
    db.select({ session: sessions, user: users }).from(sessions).innerJoin(users, isSessionUser).$dynamic(),
    sql.placeholder("tokenHash"),
    sql.placeholder("now"),
  ).prepare();

const prepared = new WeakMap<Db, ReturnType<typeof prepareSession>>();

/** Returns the live session with a token's hash; null if it has ended, or if its user or team owner is inactive. */
export async function findSession(db: Db, tokenHash: string, now: number): Promise<Session | null> {
  const statement = prepared.get(db) ?? prepareSession(db);
  prepared.set(db, statement);
  const [row] = await statement.all({ tokenHash, now });
  if (!row) return null;
  const { id, impersonatorId, lastSeenAt, secondFactorAt } = row.session;
  const begunAt = row.session.signedInAt ?? row.session.createdAt;
  return {
    id,
    impersonatorId,
    lastSeenAt,
    signedInAt: begunAt,
    confirmedAt: row.session.confirmedAt ?? begunAt,
    secondFactorAt,
    needsPasskey: false,
    user: row.user,
  };
}

/** Returns the SQL condition that a session is live. */
export function isSessionLive(db: Db, tokenHash: string, now: number): SQL {
  const one = db.select({ id: sessions.id }).from(sessions).innerJoin(users, isSessionUser).$dynamic();
  return exists(whereLive(one, tokenHash, now));
}

/**
 * Finds a user by username or email, ignoring case. `isActive` is true if the user and, for team members, the
 * owner are active. A username wins over an email.
 */
export async function findUserForLogin(
  db: Db,
  login: string,
): Promise<{ user: UserRow; isActive: boolean } | null> {
  const owners = alias(users, "owners");
  const byText = (column: typeof users.username | typeof users.email) =>
    db
      // Alias the column: in a batch, drizzle drops one of two columns with the same name.
      .select({
        user: users,
        ownerIsActive: sql<number | null>`${owners.isActive}`.as("owner_is_active"),
      })
      .from(users)
      .leftJoin(owners, eq(owners.id, users.teamOwnerId))
      // Lowercase both sides in SQLite, as the indexes do. SQLite lowercases only ASCII; JavaScript lowercases more.
      .where(sql`lower(${column}) = lower(${normaliseUsername(login)})`);
  const [byName, byEmail] = await db.batch([byText(users.username), byText(users.email)]);
  const found = byName[0] ?? byEmail[0];
  if (!found) return null;
  const { user, ownerIsActive } = found;
  return { user, isActive: user.isActive && (user.teamOwnerId === null || ownerIsActive === 1) };
}

/**
 * Returns which name of an account another account already signs in with, as its username or confirmed email. If both
 * are taken, returns the username: with a taken username, a caller learns nothing about an email.
 * @param exceptUserId the account itself, if it already exists
 */
export async function findNameConflict(
  db: Db,
  account: { username: string; email?: string | null },
  exceptUserId = "",
): Promise<"username" | "email" | null> {
  const holderOf = (name: string | null) =>
    db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          or(sql`lower(${users.username}) = lower(${name})`, sql`lower(${users.email}) = lower(${name})`),
          ne(users.id, exceptUserId),
        ),
      );
  const [named, addressed] = await db.batch([holderOf(account.username), holderOf(account.email ?? null)]);
  if (named.length > 0) return "username";
  return addressed.length > 0 ? "email" : null;
}

/**
 * Counts the successful sign-ins of users within the 90 days that sign-ins are stored.
 * @returns `all`, and `here`: those from one network
 */
export async function countSignIns(
  db: Db,
  userIds: string[],
  networkKey: string,
): Promise<{ all: number; here: number }> {
  const [row] = await db
    .select({
      all: count(),
      here: sql<number>`coalesce(sum(${signIns.networkKey} = ${networkKey}), 0)`,
    })
    .from(signIns)
    .where(
      and(
        sql`${signIns.userId} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`,
        eq(signIns.succeeded, true),
      ),
    );
  return row!;
}

// Caches sessions that this isolate has just read from D1. Use a cached session only if the response to it reveals
// nothing. A losing claim gets its response from the exchange. D1 confirms the session of a winning claim before the
// Worker returns data.

const CACHE_MS = MINUTE_MS;
const MAX_SESSIONS = 5_000;

const recent = new Map<string, { session: Session; readAt: number }>();

/** Caches a session read from D1. A null session clears the entry. */
export function cacheSession(tokenHash: string, session: Session | null, now: number): void {
  // Re-insert it, so that the first entry is always the oldest.
  recent.delete(tokenHash);
  if (!session) return;
  recent.set(tokenHash, { session, readAt: now });
  if (recent.size > MAX_SESSIONS) recent.delete(recent.keys().next().value!);
}

/** Returns a session read from D1 within the last minute; null if there is none. */
export function findCachedSession(tokenHash: string, now: number): Session | null {
  const entry = recent.get(tokenHash);
  return entry && now - entry.readAt < CACHE_MS ? entry.session : null;
}

/** Returns the part of a user row that the user's own browser may see. */
export function toCurrentUser(
  user: UserRow,
  impersonatorId: string | null,
  needsPasskey = false,
): CurrentUser {
  return {
    id: user.id,
    userType: user.userType,
    firstName: user.firstName,
    lastName: user.lastName,
    username: user.username,
    email: user.email,
    pendingEmail: user.pendingEmail,
    phone: user.phone,
    companyName: user.companyName,
    businessId: businessOf(user),
    isVerified: user.isVerified,
    isSuperAdmin: user.isSuperAdmin,
    needsPasskey,
    isImpersonating: impersonatorId !== null,
    mustChangePassword: mustChangePassword({ user, impersonatorId }),
    // A region from another release has no exchange in this one. Its socket would reconnect endlessly.
    watchedRegions: user.watchedRegions.filter(isRegion),
    services: user.services,
  };
}
