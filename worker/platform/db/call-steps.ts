/** SQL for the steps of a request from its arrival to the job, for the admins' figures and the lists behind them. */
import { type SQL, sql } from "drizzle-orm";

import type { CallStep } from "../../../contract/market-figures.ts";
import { SALES_STAGES, STAGES } from "../../../contract/stages.ts";
import { callResult, hasCountedClock, isCalledPurchase } from "./call-result.ts";
import { leadPurchases } from "./schema.ts";

/** SQL: the lead is a customer's request. A rescued lead is the same request once more. */
const isRequest = sql`leads.source <> 'manual' AND leads.rescued_from_id IS NULL`;

const BOOKED = SALES_STAGES.filter((stage) => STAGES[stage].isWon)
  .flatMap((stage) => {
    const name = STAGES[stage].timestampColumn;
    return name ? [leadPurchases[name].name] : [];
  })
  .join(", ");

const isSold = sql`EXISTS (SELECT 1 FROM lead_purchases WHERE lead_id = leads.id AND removed_at IS NULL)`;

/** SQL: a purchase of the lead, or of the lead rescued from it, meets a condition. */
const hasPurchase = (condition: SQL) => sql`EXISTS (SELECT 1 FROM lead_purchases
  WHERE lead_purchases.lead_id IN (SELECT leads.id UNION ALL SELECT rescue.id FROM leads AS rescue WHERE rescue.rescued_from_id = leads.id)
    AND lead_purchases.removed_at IS NULL AND ${condition})`;

/** SQL: the request's customer was called, and has a booked job. */
export const isCalledRequest = hasPurchase(isCalledPurchase);
export const isBookedRequest = hasPurchase(sql`coalesce(${sql.raw(BOOKED)}) IS NOT NULL`);

/** SQL: the result of the call clock of the lead's purchase; null without a clock. */
const resultOf = (now: number) => sql`(SELECT ${callResult(now)} FROM lead_purchases
  WHERE lead_purchases.lead_id = leads.id AND ${hasCountedClock})`;

/** SQL: a request that reached a step, as a condition on `leads`. @param now epoch ms */
export function hasReachedStep(step: CallStep, now: number): SQL {
  if (step === "requests") return isRequest;
  const reached =
    step === "sold" ? isSold : step === "booked" ? isBookedRequest : sql`${resultOf(now)} = ${step}`;
  return sql`(${isRequest} AND ${reached})`;
}

/** SQL: for each region, how many requests between two times have reached each step. Reads only these requests. */
export function countSteps(from: number, to: number, now: number): SQL {
  // Materialised, or SQLite would compute each result once for each sum.
  return sql`WITH steps AS MATERIALIZED (
      SELECT region, ${isSold} AS is_sold, ${isBookedRequest} AS is_booked, ${resultOf(now)} AS result
      FROM leads WHERE created_at >= ${from} AND created_at < ${to} AND ${isRequest})
    SELECT region, count(*) AS requests, sum(is_sold) AS sold, sum(result IS 'in_time') AS in_time,
      sum(result IS 'late') AS late, sum(result IS 'rescued') AS rescued, sum(is_booked) AS booked
    FROM steps
    GROUP BY region`;
}
