import { and, count, eq, isNull } from "drizzle-orm";

import type { AdminOverview } from "../../contract/admin.ts";
import type { Db } from "../db/client.ts";
import { attention, bookings, dudReports, leadPurchases, leads, users } from "../db/schema.ts";
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

function firstCount(rows: { n: number }[]): number {
  return rows[0]?.n ?? 0;
}

/** How much waits for a super admin: one statement per page, each on an index or a short table. */
export async function countWaiting(db: Db): Promise<AdminOverview> {
  const [quarantined, duds, needing, visits] = await db.batch([
    db.select({ n: count() }).from(leads).where(eq(leads.listingState, "quarantined")),
    db.select({ n: count() }).from(dudReports).where(eq(dudReports.state, "open")),
    db.select({ n: count() }).from(attention).where(isNull(attention.resolvedAt)),
    // Garden bookings became leads; only inspections wait for a person.
    db
      .select({ n: count() })
      .from(bookings)
      .where(and(isNull(bookings.leadId), isNull(bookings.handledAt), isNull(bookings.erasedAt))),
  ]);
  return {
    quarantined: firstCount(quarantined),
    duds: firstCount(duds),
    attention: firstCount(needing),
    bookings: firstCount(visits),
  };
}
