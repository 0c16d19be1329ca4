import { and, desc, eq, sql } from "drizzle-orm";

import type { ProviderListItem } from "../../contract/providers.ts";
import type { UserRow } from "../auth/rules.ts";
import type { Db } from "../db/client.ts";
import { olderThan } from "../db/paging.ts";
import { users } from "../db/schema.ts";

const columns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  companyName: users.companyName,
  username: users.username,
  email: users.email,
  userType: users.userType,
  phone: users.phone,
  abn: users.abn,
  isActive: users.isActive,
  isVerified: users.isVerified,
  isSuperAdmin: users.isSuperAdmin,
  createdAt: users.createdAt,
};

/** Text as a LIKE pattern that finds it anywhere, its own wildcards taken literally. */
function anywhere(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * Providers, newest first.
 * @param filter `q` looks into names, company, username and email; `after` is the last row of the page
 *   before (keyset by creation time and id)
 */
export function listProviders(
  db: Db,
  filter: { q: string; after: { createdAt: number; id: string } | null; limit: number },
): Promise<ProviderListItem[]> {
  const { q, after, limit } = filter;
  const words = sql`${users.firstName} || ' ' || ${users.lastName} || ' ' || coalesce(${users.companyName}, '') || ' ' || ${users.username} || ' ' || coalesce(${users.email}, '')`;
  return db
    .select(columns)
    .from(users)
    .where(
      and(
        eq(users.userType, "provider"),
        q ? sql`(${words}) LIKE ${anywhere(q)} ESCAPE '\\'` : undefined,
        olderThan(users.createdAt, users.id, after),
      ),
    )
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit);
}

/** How many providers there are. */
export async function countProviders(db: Db): Promise<number> {
  return db.$count(users, eq(users.userType, "provider"));
}

/** One provider as super admins see it; null when the id is nobody's or not a provider's. */
export async function findProvider(db: Db, id: string): Promise<ProviderListItem | null> {
  const [row] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), eq(users.userType, "provider")));
  return row ?? null;
}

/** A provider who may be given leads; null when there is none by that id, or they are deactivated. */
export async function findActiveProvider(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.userType, "provider"), eq(users.isActive, true)));
  return row ?? null;
}
