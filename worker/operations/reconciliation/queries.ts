import { sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { payments } from "../../platform/db/schema.ts";

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
