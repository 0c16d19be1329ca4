import { and, asc, count, eq, gt, gte, lt, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, payments } from "../../platform/db/schema.ts";
import type { RowPlace } from "./walk-commands.ts";

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

/** Returns a page of the leads that D1 offers in a region, after a cursor. */
export function readOfferedPage(db: Db, region: Region, after: RowPlace | null, limit: number) {
  return db
    .select({ id: leads.id, createdAt: leads.createdAt })
    .from(leads)
    .where(
      and(
        sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`,
        eq(leads.region, region),
        isOn({ since: 0, until: Number.MAX_SAFE_INTEGER, after, limit }, leads.createdAt, leads.id),
      ),
    )
    .orderBy(asc(leads.createdAt), asc(leads.id))
    .limit(limit);
}

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

export function findLedgerRows(db: Db, intentIds: string[]) {
  return db
    .select()
    .from(payments)
    .where(
      sql`${payments.stripePaymentIntentId} IN (SELECT value FROM json_each(${JSON.stringify(intentIds)}))`,
    );
}

/** Returns whether Stripe's list has not included this row's payment since the run began. */
export function isUnseen(
  row: { seenAtStripeAt: number | null; stripePaymentIntentId: string | null },
  began: number,
) {
  return row.stripePaymentIntentId !== null && (row.seenAtStripeAt ?? 0) < began;
}

/** Counts the payments and traded purchases since a time (epoch ms). */
export async function countSince(db: Db, since: number): Promise<number> {
  const [[paid], [bought]] = await db.batch([
    db.select({ rows: count() }).from(payments).where(gte(payments.createdAt, since)),
    db
      .select({ rows: count() })
      .from(leadPurchases)
      // Matches the condition of the partial index.
      .where(and(gte(leadPurchases.purchasedAt, since), sql`${leadPurchases.mode} <> 'manual'`)),
  ]);
  return paid!.rows + bought!.rows;
}
