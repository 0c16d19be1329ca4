import { eq } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { UserRow } from "../../platform/session.ts";
import type { Db } from "../../platform/db/client.ts";
import { users } from "../../platform/db/schema.ts";

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
