import { and, eq, gt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { Db } from "../db/client.ts";
import { sessions, users } from "../db/schema.ts";
import type { UserRow } from "./rules.ts";

export type Session = { id: string; user: UserRow; impersonatorId: string | null; lastSeenAt: number };

/** The live session behind a token's hash; null when it ended or its user (or team owner) is inactive. */
export async function findSession(db: Db, tokenHash: string, now: number): Promise<Session | null> {
  const owners = alias(users, "owners");
  const [row] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(owners, eq(owners.id, users.teamOwnerId))
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        gt(sessions.expiresAt, now),
        eq(users.isActive, true),
        or(sql`${users.teamOwnerId} IS NULL`, eq(owners.isActive, true)),
      ),
    );
  if (!row) return null;
  const { id, impersonatorId, lastSeenAt } = row.session;
  return { id, impersonatorId, lastSeenAt, user: row.user };
}

/** An active user by username or e-mail, without regard to case. A username wins over an e-mail. */
export async function findUserForLogin(db: Db, login: string): Promise<UserRow | null> {
  const wanted = login.toLowerCase();
  const [byName, byEmail] = await db.batch([
    db
      .select()
      .from(users)
      .where(sql`lower(${users.username}) = ${wanted}`),
    db
      .select()
      .from(users)
      .where(sql`lower(${users.email}) = ${wanted}`),
  ]);
  return byName[0] ?? byEmail[0] ?? null;
}
