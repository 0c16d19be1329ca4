/** Reads purchases with a call clock. */
import { and, asc, eq, isNotNull, isNull, lte } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads } from "../../platform/db/schema.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

/** A purchase with a call clock. */
export type ClockRow = {
  purchase: PurchaseRow & { clockEndsAt: number };
  /** Whether the buyer still has the lead and the customer still exists. */
  isLive: boolean;
  /** The buyer has their money back, and the customer still exists. */
  isRefunded: boolean;
  /** The lead was passed on once already. */
  isRescue: boolean;
  /** Only the answers of a confirmed customer count against the buyer. */
  isConfirmed: boolean;
};

type Selected = {
  purchase: PurchaseRow;
  erasedAt: number | null;
  rescuedFromId: string | null;
  confirmedBy: string | null;
};

const SELECTED = {
  purchase: leadPurchases,
  erasedAt: leads.erasedAt,
  rescuedFromId: leads.rescuedFromId,
  confirmedBy: leads.confirmedBy,
};

function toClockRow({ purchase, erasedAt, rescuedFromId, confirmedBy }: Selected): ClockRow[] {
  const { clockEndsAt, paymentStatus, removedAt } = purchase;
  if (clockEndsAt === null) return [];
  const isThere = removedAt === null && erasedAt === null;
  const isRefunded = isThere && paymentStatus === "refunded";
  const isRescue = rescuedFromId !== null;
  return [
    {
      purchase: { ...purchase, clockEndsAt },
      isLive: isThere && !isRefunded,
      isRefunded,
      isRescue,
      isConfirmed: confirmedBy !== null,
    },
  ];
}

/** Returns clocks that are due, oldest first. */
export async function listDueClocks(db: Db, now: number, limit: number): Promise<ClockRow[]> {
  const rows = await db
    .select(SELECTED)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    // Repeats the condition of the partial index, or SQLite does not use it.
    .where(and(isNotNull(leadPurchases.clockDueAt), lte(leadPurchases.clockDueAt, now)))
    .orderBy(asc(leadPurchases.clockDueAt))
    .limit(limit);
  return rows.flatMap(toClockRow);
}

/** Returns the clock of a lead's sale; null if the lead is not sold or has no clock. */
export async function findClock(db: Db, leadId: string): Promise<ClockRow | null> {
  const rows = await db
    .select(SELECTED)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(and(eq(leadPurchases.leadId, leadId), isNull(leadPurchases.removedAt)));
  return rows.flatMap(toClockRow).find(({ isLive }) => isLive) ?? null;
}
