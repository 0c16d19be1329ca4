import { eq, sql } from "drizzle-orm";

import type { LeadSummary } from "../../contract/leads.ts";
import type { Region } from "../../contract/regions.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { pausedRegions } from "./tables.ts";
import { leads } from "../platform/db/leads.ts";
import { payments } from "../platform/db/payments.ts";
import { log } from "../platform/log.ts";
import { withTimeout } from "../platform/timeout.ts";
import { exchangeOf } from "./exchange-calls.ts";
import type { Sale } from "./listing.ts";

/** Maximum time to wait for one region's holds before showing a list of leads. */
const HOLDS_TIMEOUT_MS = 1_500;

/**
 * Returns the regions where a business may be paying for a lead, from the ledger. A hold has a slot in the ledger while
 * it can still be paid. The partial index contains only those rows.
 */
export async function listBusyRegions(db: Db): Promise<Set<Region>> {
  const rows = await db
    .selectDistinct({ region: payments.region })
    .from(payments)
    // Matches the condition of the partial index.
    .where(sql`slot IS NOT NULL`);
  return new Set(rows.map(({ region }) => region));
}

/**
 * Sets `heldUntil` on each lead from the exchanges' holds. If a region's call fails, its leads appear as not held. The
 * exchange still refuses to hold a held lead again.
 * @param busy the regions where a business may be paying; other exchanges are not called
 */
export async function withHolds(
  context: Context,
  leads: LeadSummary[],
  busy: ReadonlySet<string>,
): Promise<LeadSummary[]> {
  const regions = [...new Set(leads.map((lead) => lead.region))].filter((region) => busy.has(region));
  const results = await Promise.allSettled(
    regions.map((region) => withTimeout(exchangeOf(context, region)!.listHolds(), HOLDS_TIMEOUT_MS)),
  );
  const heldUntilByLead = new Map<string, number>();
  for (const result of results) {
    if (result.status === "rejected") {
      log("warn", "holds_unknown", { error: result.reason });
    } else {
      for (const hold of result.value) heldUntilByLead.set(hold.leadId, hold.until);
    }
  }
  return leads.map((lead) => ({ ...lead, heldUntil: heldUntilByLead.get(lead.id) ?? null }));
}

export function listPaused(db: Db): Promise<(typeof pausedRegions.$inferSelect)[]> {
  return db.select().from(pausedRegions);
}

export async function isRegionPaused(db: Db, region: string): Promise<boolean> {
  const rows = await db
    .select({ region: pausedRegions.region })
    .from(pausedRegions)
    .where(eq(pausedRegions.region, region as Region));
  return rows.length > 0;
}

/** Returns a lead's region from D1; null if D1 does not have the lead. */
export async function regionOfLead(db: Db, leadId: string): Promise<Region | null> {
  const [lead] = await db.select({ region: leads.region }).from(leads).where(eq(leads.id, leadId));
  return lead?.region ?? null;
}

/** The buyer's details on the purchase, from the purchase form or else from the account. */
export type BuyerDetails = {
  name: string;
  email: string | null;
  phone: string | null;
  company: string | null;
};

/** Returns the row of a new purchase, for any purchase mode. Other columns keep their defaults. */
export function purchaseRow(leadId: string, sale: Sale, buyer: BuyerDetails) {
  return {
    id: sale.purchaseId,
    leadId,
    buyerId: sale.businessId,
    boughtByUserId: sale.userId,
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    buyerPhone: buyer.phone,
    buyerCompany: buyer.company,
    mode: sale.mode,
    amountPaidCents: sale.amountCents,
    paymentStatus: "completed" as const,
    paymentIntentId: sale.paymentIntentId ?? null,
    purchasedAt: sale.soldAt,
    updatedAt: sale.soldAt,
  };
}
