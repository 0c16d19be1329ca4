import { and, eq, exists, gt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteSelect } from "drizzle-orm/sqlite-core";

import { normalUsername } from "../../contract/names.ts";
import type { Db } from "../db/client.ts";
import { payingBusinesses, sessions, users } from "../db/schema.ts";
import type { Session, UserRow } from "../platform/session.ts";
import { SESSION_MOST_MS } from "./rules.ts";

export const signedInAt = sql<number>`coalesce(${sessions.signedInAt}, ${sessions.createdAt})`;

/** Whether a user's own business has ever paid. A name of its own, as drizzle asks for beside whole tables. */
const hasPaid = sql<number>`EXISTS (SELECT 1 FROM ${payingBusinesses} WHERE ${payingBusinesses.businessId} = ${users.id})`;

const owners = alias(users, "owners");
const admins = alias(users, "admins");

/**
 * Narrows a selection from `sessions` and `users` to the session behind a token's hash, unless it ended or
 * its user (or team owner) is inactive.
 */
export function whereLive<Selection extends SQLiteSelect>(
  selection: Selection,
  tokenHash: string,
  now: number,
) {
  return selection
    .leftJoin(owners, eq(owners.id, users.teamOwnerId))
    .leftJoin(admins, eq(admins.id, sessions.impersonatorId))
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        gt(sessions.expiresAt, now),
        // Also one that an older release has prolonged beyond it.
        gt(signedInAt, now - SESSION_MOST_MS),
        eq(users.isActive, true),
        or(sql`${users.teamOwnerId} IS NULL`, eq(owners.isActive, true)),
        // Who looks through somebody's eyes has to be a super admin still, and the other none.
        or(
          sql`${sessions.impersonatorId} IS NULL`,
          and(eq(admins.isActive, true), eq(admins.isSuperAdmin, true), eq(users.isSuperAdmin, false)),
        ),
      ),
    );
}

/** Sessions with their people. */
export const isTheirs = eq(users.id, sessions.userId);

/** The live session behind a token's hash; null when it ended or its user (or team owner) is inactive. */
export async function findSession(db: Db, tokenHash: string, now: number): Promise<Session | null> {
  const [row] = await whereLive(
    db
      .select({ session: sessions, user: users, hasPaid: hasPaid.as("has_paid") })
      .from(sessions)
      .innerJoin(users, isTheirs)
      .$dynamic(),
    tokenHash,
    now,
  );
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
    hasPaid: row.hasPaid === 1,
  };
}

/** The condition that a session is live, for a statement that may only do its work while it is. */
export function sessionIsLive(db: Db, tokenHash: string, now: number): SQL {
  const one = db.select({ id: sessions.id }).from(sessions).innerJoin(users, isTheirs).$dynamic();
  return exists(whereLive(one, tokenHash, now));
}

/**
 * A user by username or email, without regard to case, and whether they may work: they and, for team
 * members, their owner are active. A username wins over an email.
 */
export async function findUserForLogin(
  db: Db,
  login: string,
): Promise<{ user: UserRow; isActive: boolean } | null> {
  const owners = alias(users, "owners");
  const byText = (column: typeof users.username | typeof users.email) =>
    db
      // A name of its own: in a batch, drizzle loses one of two columns with the same name.
      .select({
        user: users,
        ownerIsActive: sql<number | null>`${owners.isActive}`.as("owner_is_active"),
      })
      .from(users)
      .leftJoin(owners, eq(owners.id, users.teamOwnerId))
      // Both sides are lowered by SQLite, as the indexes are: it knows ASCII only, JavaScript more.
      .where(sql`lower(${column}) IN (lower(${login}), lower(${normalUsername(login)}))`)
      // As it was typed comes first: names from before there were rules stay as they are.
      .orderBy(sql`lower(${column}) <> lower(${login})`);
  const [byName, byEmail] = await db.batch([byText(users.username), byText(users.email)]);
  const found = byName[0] ?? byEmail[0];
  if (!found) return null;
  const { user, ownerIsActive } = found;
  return { user, isActive: user.isActive && (user.teamOwnerId === null || ownerIsActive === 1) };
}

/**
 * Who signs in with an address already, by their confirmed email or by their username.
 * @param exceptUserId who asks for it
 */
export async function findAddressHolder(
  db: Db,
  email: string,
  exceptUserId: string,
): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(
      and(
        or(sql`lower(${users.email}) = lower(${email})`, sql`lower(${users.username}) = lower(${email})`),
        ne(users.id, exceptUserId),
      ),
    )
    .limit(1);
  return row ?? null;
}

/**
 * Whether an account's username is somebody else's email address, or its address somebody else's username.
 * @param exceptUserId the account itself, when it exists already
 */
export async function findMixUp(
  db: Db,
  account: { username: string; email?: string | null },
  exceptUserId = "",
): Promise<"username" | "email" | null> {
  const [named, addressed] = await db.batch([
    db
      .select({ id: users.id })
      .from(users)
      .where(and(sql`lower(${users.email}) = lower(${account.username})`, ne(users.id, exceptUserId))),
    db
      .select({ id: users.id })
      .from(users)
      .where(
        and(sql`lower(${users.username}) = lower(${account.email ?? null})`, ne(users.id, exceptUserId)),
      ),
  ]);
  if (named.length > 0) return "username";
  return addressed.length > 0 ? "email" : null;
}
