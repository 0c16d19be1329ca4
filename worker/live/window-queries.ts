/** Queries about the sessions of open windows. */
import { and, inArray, isNull, sql } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { sessions } from "../platform/db/users.ts";

/** Returns whether any of these sessions is the user's own, rather than an impersonating admin's. */
export async function hasOwnSession(db: Db, sessionIds: readonly string[]): Promise<boolean> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(sessionIds)}))`;
  const [own] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(inArray(sessions.id, ids), isNull(sessions.impersonatorId)))
    .limit(1);
  return own !== undefined;
}
