import { and, desc, eq, gt } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { ADDRESS_TO_COME } from "../../contract/auth.ts";
import { bankDetails, sessions, signIns, users } from "../db/schema.ts";
import type { BusinessScope } from "../auth/rights.ts";

/** Old ones end by themselves after 30 days; nobody reads further than this. */
const MOST_SESSIONS = 50;

/** Where a person is signed in, the latest first. */
export function listSessions(db: Db, userId: string, now: number) {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MOST_SESSIONS);
}

/** A business's sealed bank details; null when there are none. */
export async function findBankDetails(db: Db, scope: BusinessScope) {
  const [row] = await db.select().from(bankDetails).where(eq(bankDetails.userId, scope.businessId));
  return row ?? null;
}

/** A business's text messages, and the name they go out under; null for messages nobody has changed. */
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

/** Where a business says that it is; null while it has not said so. */
export async function findBusinessAddress(db: Db, scope: BusinessScope): Promise<string | null> {
  const [row] = await db
    .select({ address: users.businessAddress })
    .from(users)
    .where(eq(users.id, scope.businessId));
  const address = row?.address ?? null;
  return address === ADDRESS_TO_COME ? null : address;
}

/** Nobody looks further back than this. */
const MOST_SIGN_INS = 20;

/** A person's latest sign-ins and the tries that failed, the newest first. */
export function listSignIns(db: Db, userId: string) {
  return db
    .select()
    .from(signIns)
    .where(eq(signIns.userId, userId))
    .orderBy(desc(signIns.at), desc(signIns.id))
    .limit(MOST_SIGN_INS);
}
