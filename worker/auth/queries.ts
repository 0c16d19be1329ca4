import { and, eq, exists, gt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { Db } from "../db/client.ts";
import { sessions, users } from "../db/schema.ts";
import type { UserRow } from "./rules.ts";

export type Session = { id: string; user: UserRow; impersonatorId: string | null; lastSeenAt: number };

/** The session behind a token's hash, unless it ended or its user (or team owner) is inactive. */
function selectLive(db: Db, tokenHash: string, now: number) {
  const owners = alias(users, "owners");
  const admins = alias(users, "admins");
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(owners, eq(owners.id, users.teamOwnerId))
    .leftJoin(admins, eq(admins.id, sessions.impersonatorId))
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        gt(sessions.expiresAt, now),
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

/** The live session behind a token's hash; null when it ended or its user (or team owner) is inactive. */
export async function findSession(db: Db, tokenHash: string, now: number): Promise<Session | null> {
  const [row] = await selectLive(db, tokenHash, now);
  if (!row) return null;
  const { id, impersonatorId, lastSeenAt } = row.session;
  return { id, impersonatorId, lastSeenAt, user: row.user };
}

/** The condition that a session is live, for a statement that may only do its work while it is. */
export function sessionIsLive(db: Db, tokenHash: string, now: number): SQL {
  return exists(selectLive(db, tokenHash, now));
}

/**
 * A user by username or e-mail, without regard to case, and whether they may work: they and, for team
 * members, their owner are active. A username wins over an e-mail.
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
      .where(sql`lower(${column}) = lower(${login})`);
  const [byName, byEmail] = await db.batch([byText(users.username), byText(users.email)]);
  const found = byName[0] ?? byEmail[0];
  if (!found) return null;
  const { user, ownerIsActive } = found;
  return { user, isActive: user.isActive && (user.teamOwnerId === null || ownerIsActive === 1) };
}

/**
 * Whether an account's username is somebody else's e-mail address, or its address somebody else's username.
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
