import { and, eq, gte, isNull, sql } from "drizzle-orm";

import { SALES_STAGES, STAGES } from "../../../contract/stages.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases } from "../../platform/db/schema.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { stampOf } from "../../selling/purchases/rules.ts";
import type { Sums } from "./sums.ts";

/** SQL: the purchase was bought on the market and not refunded. */
const isBought = sql`(${leadPurchases.mode} <> 'manual' AND ${leadPurchases.paymentStatus} <> 'refunded')`;

/** Columns that show whether a purchase ever reached Booked or later. Moving back a stage keeps these timestamps. */
const wonStamps = SALES_STAGES.flatMap((stage) => {
  const stamp = STAGES[stage].isWon ? stampOf(stage) : null;
  return stamp ? [sql`${leadPurchases[stamp]}`] : [];
});
const isWon = sql`(coalesce(${sql.join(wonStamps, sql`, `)}) IS NOT NULL)`;

/**
 * Sums a business's purchases by the month in which they were bought or added.
 * @param months the start of each month, oldest first; older purchases are not read
 * @param ripeBefore purchases from before this time count towards the win rate
 * @returns sums by the month's index in `months`
 */
export async function sumByMonth(
  db: Db,
  scope: BusinessScope,
  months: readonly number[],
  ripeBefore: number,
): Promise<Map<number, Sums>> {
  const cases = months.map((start, i) => sql`WHEN ${leadPurchases.purchasedAt} >= ${start} THEN ${i}`);
  const place = sql<number>`CASE ${sql.join(cases.toReversed(), sql` `)} END`;
  const isOldEnough = sql`${leadPurchases.purchasedAt} < ${ripeBefore}`;
  const rows = await db
    .select({
      place,
      bought: sql<number>`sum(${isBought})`,
      spendCents: sql<number>`sum(${isBought} * ${leadPurchases.amountPaidCents})`,
      won: sql<number>`sum(${isBought} AND ${isWon})`,
      ripe: sql<number>`sum(${isBought} AND ${isOldEnough})`,
      ripeWon: sql<number>`sum(${isBought} AND ${isOldEnough} AND ${isWon})`,
      earnedCents: sql<number>`sum(coalesce(${leadPurchases.customerPaymentAmountCents}, 0))`,
    })
    .from(leadPurchases)
    .where(
      and(
        eq(leadPurchases.buyerId, scope.businessId),
        isNull(leadPurchases.removedAt),
        gte(leadPurchases.purchasedAt, months[0]!),
      ),
    )
    .groupBy(sql`1`);
  return new Map(rows.map(({ place, ...sums }) => [place, sums]));
}
