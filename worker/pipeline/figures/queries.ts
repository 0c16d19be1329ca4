import { and, eq, gte, isNull, sql } from "drizzle-orm";

import type { Figures } from "../../../contract/figures.ts";
import { centsToText } from "../../../contract/money.ts";
import { SALES_STAGES, STAGES } from "../../../contract/stages.ts";
import { addMonths, startOfSydneyDay, sydneyMonth } from "../../../contract/sydney-time.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { stampOf } from "../../selling/purchases/rules.ts";

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

type Sums = {
  bought: number;
  spendCents: number;
  won: number;
  /** Number of bought leads that are old enough for the win rate. `ripeWon` is how many of these were won. */
  ripe: number;
  ripeWon: number;
  earnedCents: number;
};

const NOTHING: Sums = { bought: 0, spendCents: 0, won: 0, ripe: 0, ripeWon: 0, earnedCents: 0 };

/** Returns the last `count` months, oldest first, each with its start in Sydney time. */
export function monthsUntil(now: number, count: number): { month: string; start: number }[] {
  const current = sydneyMonth(now);
  return Array.from({ length: count }, (_, i) => {
    const month = addMonths(current, i + 1 - count);
    return { month, start: startOfSydneyDay(`${month}-01`)! };
  });
}

export function addUp(sums: readonly Sums[]): Sums {
  return sums.reduce(
    (total, sum) => ({
      bought: total.bought + sum.bought,
      spendCents: total.spendCents + sum.spendCents,
      won: total.won + sum.won,
      ripe: total.ripe + sum.ripe,
      ripeWon: total.ripeWon + sum.ripeWon,
      earnedCents: total.earnedCents + sum.earnedCents,
    }),
    NOTHING,
  );
}

/** Converts the sums to the API's format. */
export function toFigures(sums: Sums | undefined): Figures {
  const { bought, spendCents, won, ripe, ripeWon, earnedCents } = sums ?? NOTHING;
  return {
    bought,
    spend: centsToText(spendCents),
    won,
    winRate: ripe === 0 ? null : ripeWon / ripe,
    earned: centsToText(earnedCents),
    costPerWon: won === 0 ? null : centsToText(Math.round(spendCents / won)),
  };
}
