import { and, eq } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { leadPurchases, leads, users } from "../db/schema.ts";
import type { UserRow } from "../auth/rules.ts";
import type { GivenLead } from "./lead-commands.ts";

/** A provider who may be given leads; null when there is none by that id, or they are deactivated. */
export async function findActiveProvider(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.userType, "provider"), eq(users.isActive, true)));
  return row ?? null;
}

/** A purchase of whichever business, with its lead. For super admins only: it knows no scope. */
export async function findSoldPurchase(db: Db, id: string): Promise<GivenLead | null> {
  const [row] = await db
    .select({ purchase: leadPurchases, lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(eq(leadPurchases.id, id));
  return row ?? null;
}
