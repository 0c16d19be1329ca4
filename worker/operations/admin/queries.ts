import { and, count, eq, isNotNull, isNull } from "drizzle-orm";

import type { AdminOverview } from "../../../contract/admin.ts";
import type { Db } from "../../platform/db/client.ts";
import { providerChecks } from "../../identity/tables.ts";
import { bookings } from "../../leads/tables.ts";
import { reviews } from "../../pipeline/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { attention } from "../../platform/db/messages.ts";
import { badLeadReports, guaranteeCases } from "../../platform/db/purchases.ts";
import { isOpenCase } from "../../pipeline/guarantee/queries.ts";
import { isInState } from "../../leads/queries.ts";

function firstCount(rows: { n: number }[]): number {
  return rows[0]?.n ?? 0;
}

/** Counts the items that await a super admin. One statement per list, each on an index or a short table. */
export async function countWaiting(db: Db): Promise<AdminOverview> {
  const [quarantined, badLeads, checks, cases, openAttention, visits, flagged] = await db.batch([
    db.select({ n: count() }).from(leads).where(isInState("quarantined")),
    db.select({ n: count() }).from(badLeadReports).where(eq(badLeadReports.state, "open")),
    db.select({ n: count() }).from(providerChecks).where(eq(providerChecks.state, "waiting")),
    db.select({ n: count() }).from(guaranteeCases).where(isOpenCase),
    db.select({ n: count() }).from(attention).where(isNull(attention.resolvedAt)),
    // Garden bookings became leads. Only inspections still need a person.
    db
      .select({ n: count() })
      .from(bookings)
      .where(and(isNull(bookings.leadId), isNull(bookings.handledAt), isNull(bookings.erasedAt))),
    db.select({ n: count() }).from(reviews).where(isNotNull(reviews.flag)),
  ]);
  return {
    quarantined: firstCount(quarantined),
    badLeads: firstCount(badLeads),
    checks: firstCount(checks),
    guarantee: firstCount(cases),
    attention: firstCount(openAttention),
    bookings: firstCount(visits),
    reviews: firstCount(flagged),
  };
}
