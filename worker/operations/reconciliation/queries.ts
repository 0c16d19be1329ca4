import { and, asc, eq, gt, gte, inArray, lt, or, sql } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, payments } from "../../platform/db/schema.ts";

/** A page of rows created in a period, in order of creation and id, starting after a cursor. */
export type Page = {
  since: number;
  until: number;
  after: { createdAt: number; id: string } | null;
  limit: number;
};

export function ledgerOf(db: Db, intentIds: string[]) {
  return db
    .select()
    .from(payments)
    .where(
      sql`${payments.stripePaymentIntentId} IN (SELECT value FROM json_each(${JSON.stringify(intentIds)}))`,
    );
}

/**
 * Returns a page of the ledger with the purchase each row paid for. `paidTwice`: another payment for the same lead
 * succeeded as well.
 */
export function pageLedger(db: Db, { since, until, after, limit }: Page) {
  return db
    .select({
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
    .where(
      and(
        gte(payments.createdAt, after?.createdAt ?? since),
        lt(payments.createdAt, until),
        after ? or(gt(payments.createdAt, after.createdAt), gt(payments.id, after.id)) : undefined,
      ),
    )
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(limit);
}

/** Returns a page of purchases of traded leads, each with its lead's status and its payment's state. */
export function pageTraded(db: Db, { since, until, after, limit }: Page) {
  return db
    .select({
      purchase: {
        id: leadPurchases.id,
        createdAt: leadPurchases.purchasedAt,
        leadId: leadPurchases.leadId,
        mode: leadPurchases.mode,
        amountPaidCents: leadPurchases.amountPaidCents,
      },
      state: payments.state,
      leadStatus: leads.status,
    })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .leftJoin(payments, eq(payments.stripePaymentIntentId, leadPurchases.paymentIntentId))
    .where(
      and(
        // Matches the condition of the partial index.
        sql`${leadPurchases.mode} <> 'manual'`,
        gte(leadPurchases.purchasedAt, after?.createdAt ?? since),
        lt(leadPurchases.purchasedAt, until),
        after
          ? or(gt(leadPurchases.purchasedAt, after.createdAt), gt(leadPurchases.id, after.id))
          : undefined,
      ),
    )
    .orderBy(asc(leadPurchases.purchasedAt), asc(leadPurchases.id))
    .limit(limit);
}

/** Returns leads by id, and purchases by the ids the exchanges gave. D1 binds at most 100 values. */
export async function leadsAndPurchases(db: Db, leadIds: string[], purchaseIds: string[]) {
  const [leadRows, purchaseRows] = await db.batch([
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
        // Qualified by hand: with a single table, the query builder writes a column without its table.
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
  ]);
  return {
    leads: new Map(leadRows.map((row) => [row.id, row])),
    purchases: new Map(purchaseRows.map((row) => [row.id, row])),
  };
}

export async function pageOffered(
  db: Db,
  region: Region,
  { after, until, limit }: { after: { createdAt: number; id: string } | null; until: number; limit: number },
) {
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
        gte(leads.createdAt, after?.createdAt ?? 0),
        lt(leads.createdAt, until),
        after ? or(gt(leads.createdAt, after.createdAt), gt(leads.id, after.id)) : undefined,
      ),
    )
    .orderBy(asc(leads.createdAt), asc(leads.id))
    .limit(limit);
}

/** Whether no page of Stripe's list has included this row's payment since the run began. */
export function isUnseen(
  row: { seenAtStripeAt: number | null; stripePaymentIntentId: string | null },
  began: number,
) {
  return row.stripePaymentIntentId !== null && (row.seenAtStripeAt ?? 0) < began;
}
