import { and, count, gte, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, payments } from "../../platform/db/schema.ts";

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
