import { and, asc, eq, gt, gte, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Region } from "../../../contract/regions.ts";
import type { ListingRecord } from "../../exchange/listing.ts";
import type { LeadRow } from "../../leads/rules.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention, leadPurchases, leads, payments } from "../../platform/db/schema.ts";
import { LOSSES, type RowPlace } from "./rules.ts";

/** A page of rows created in a period (epoch ms), ordered by creation time and id, after a cursor. */
export type DatedPage = { since: number; until: number; after: RowPlace | null; limit: number };

/** Matches the rows of a page. */
function isOn({ since, until, after }: DatedPage, createdAt: SQLiteColumn, id: SQLiteColumn) {
  return and(
    gte(createdAt, after?.createdAt ?? since),
    lt(createdAt, until),
    after ? or(gt(createdAt, after.createdAt), gt(id, after.id)) : undefined,
  );
}

/** Returns a page of the leads that D1 offers in a region. */
export function readOfferedPage(db: Db, region: Region, page: DatedPage) {
  return db
    .select({
      id: leads.id,
      region: leads.region,
      createdAt: leads.createdAt,
      generation: leads.generation,
    })
    .from(leads)
    .where(
      and(
        sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`,
        eq(leads.region, region),
        isOn(page, leads.createdAt, leads.id),
      ),
    )
    .orderBy(asc(leads.createdAt), asc(leads.id))
    .limit(page.limit);
}

export type Offer = Awaited<ReturnType<typeof readOfferedPage>>[number];

/**
 * Returns a page of the ledger with the purchase that each row paid for. `paidTwice`: whether another payment for the
 * same lead also succeeded.
 */
export function readLedgerPage(db: Db, page: DatedPage) {
  return db
    .select({
      id: payments.id,
      createdAt: payments.createdAt,
      row: payments,
      purchase: {
        id: leadPurchases.id,
        amountPaidCents: leadPurchases.amountPaidCents,
        paymentStatus: leadPurchases.paymentStatus,
      },
      // The plus keeps SQLite from using the index on state: nearly all payments have this state.
      paidTwice: sql<number>`EXISTS (SELECT 1 FROM payments AS other WHERE other.lead_id = ${payments.leadId}
        AND other.id <> ${payments.id} AND +other.state = 'succeeded')`,
    })
    .from(payments)
    .leftJoin(leadPurchases, eq(leadPurchases.paymentIntentId, payments.stripePaymentIntentId))
    .where(isOn(page, payments.createdAt, payments.id))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(page.limit);
}

/** Returns a page of purchases of traded leads, with each lead's region and status and each payment's state. */
export function readTradedPage(db: Db, page: DatedPage) {
  return db
    .select({
      id: leadPurchases.id,
      createdAt: leadPurchases.purchasedAt,
      leadId: leadPurchases.leadId,
      region: leads.region,
      mode: leadPurchases.mode,
      amountPaidCents: leadPurchases.amountPaidCents,
      paymentState: payments.state,
      leadStatus: leads.status,
    })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .leftJoin(payments, eq(payments.stripePaymentIntentId, leadPurchases.paymentIntentId))
    .where(
      and(
        // Matches the condition of the partial index.
        sql`${leadPurchases.mode} <> 'manual'`,
        isOn(page, leadPurchases.purchasedAt, leadPurchases.id),
      ),
    )
    .orderBy(asc(leadPurchases.purchasedAt), asc(leadPurchases.id))
    .limit(page.limit);
}

/** Returns D1's leads for a page of an exchange's records, by id. D1 binds at most 100 values. */
export async function findRecordedLeads(
  db: Db,
  records: readonly { leadId: string }[],
): Promise<Map<string, LeadRow>> {
  const ids = records.map(({ leadId }) => leadId);
  const rows = await db.select().from(leads).where(inArray(leads.id, ids));
  return new Map(rows.map((lead) => [lead.id, lead]));
}

/**
 * Returns D1's data for a page of an exchange's records: the leads, the purchases of their sales, and the IDs of leads
 * that an admin has resolved as losses. D1 binds at most 100 values.
 */
export async function findKnown(db: Db, records: readonly ListingRecord[]) {
  const leadIds = records.map(({ leadId }) => leadId);
  const purchaseIds = records.flatMap(({ sale }) => (sale ? [sale.purchaseId] : []));
  const [leadRows, purchaseRows, lossRows] = await db.batch([
    db
      .select({
        id: leads.id,
        region: leads.region,
        generation: leads.generation,
        status: leads.status,
        listingState: leads.listingState,
        priceCents: leads.priceCents,
        expiresAt: leads.expiresAt,
        erasedAt: leads.erasedAt,
        // Names the table explicitly, because the query builder omits it in a single-table select.
        isBought: sql`EXISTS (SELECT 1 FROM lead_purchases WHERE lead_purchases.lead_id = leads.id)`.mapWith(
          Boolean,
        ),
      })
      .from(leads)
      .where(inArray(leads.id, leadIds)),
    db
      .select({
        id: leadPurchases.id,
        leadId: leadPurchases.leadId,
        buyerId: leadPurchases.buyerId,
        boughtByUserId: leadPurchases.boughtByUserId,
        mode: leadPurchases.mode,
        amountPaidCents: leadPurchases.amountPaidCents,
        purchasedAt: leadPurchases.purchasedAt,
        paymentIntentId: leadPurchases.paymentIntentId,
      })
      .from(leadPurchases)
      .where(inArray(leadPurchases.id, purchaseIds)),
    db
      .select({ id: attention.subjectId })
      .from(attention)
      .where(
        and(
          inArray(attention.kind, [...LOSSES]),
          inArray(attention.subjectId, leadIds),
          isNotNull(attention.resolvedAt),
        ),
      ),
  ]);
  return {
    leads: new Map(leadRows.map((row) => [row.id, row])),
    purchases: new Map(purchaseRows.map((row) => [row.id, row])),
    losses: new Set(lossRows.map(({ id }) => id)),
  };
}
