import { and, desc, eq, gt } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { ADDRESS_PLACEHOLDER } from "../../../contract/auth.ts";
import { bankDetails, sessions, signIns, users } from "../../platform/db/schema.ts";
import type { BusinessScope } from "../auth/rights.ts";

/** Maximum sessions listed. Unused sessions expire after 30 days, and users do not read a longer list. */
const MAX_SESSIONS = 50;

/** Lists a user's live sessions, most recently used first. */
export function listSessions(db: Db, userId: string, now: number) {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MAX_SESSIONS);
}

export async function findBankDetails(db: Db, scope: BusinessScope) {
  const [row] = await db.select().from(bankDetails).where(eq(bankDetails.userId, scope.businessId));
  return row ?? null;
}

/**
 * Returns a business's text templates and the names to sign them with. `templates` is null if the business has never
 * changed them.
 */
export async function findTextTemplates(db: Db, scope: BusinessScope) {
  const [row] = await db
    .select({
      templates: users.textTemplates,
      company: users.companyName,
      firstName: users.firstName,
    })
    .from(users)
    .where(eq(users.id, scope.businessId));
  return row ?? null;
}

/** Returns a business's address; null until it has entered one. */
export async function findBusinessAddress(db: Db, scope: BusinessScope): Promise<string | null> {
  const [row] = await db
    .select({ address: users.businessAddress })
    .from(users)
    .where(eq(users.id, scope.businessId));
  const address = row?.address ?? null;
  return address === ADDRESS_PLACEHOLDER ? null : address;
}

const MAX_SIGN_INS = 20;

/** Lists a user's latest sign-ins and failed attempts, newest first. */
export function listSignIns(db: Db, userId: string) {
  return db
    .select()
    .from(signIns)
    .where(eq(signIns.userId, userId))
    .orderBy(desc(signIns.at), desc(signIns.id))
    .limit(MAX_SIGN_INS);
}
