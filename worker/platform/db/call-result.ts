/**
 * SQL about a purchase's call clock, for all figures of calls. Each expression reads one row of `lead_purchases`. What
 * counts as a call is defined in contract/call-state.ts.
 */

import { type SQL, sql } from "drizzle-orm";

import type { CallClock } from "../../../contract/call-clock.ts";
import { CALLED_STAMPS } from "../../../contract/call-state.ts";
import { CONTACT_OUTCOMES, reachesCustomer } from "../../../contract/contacts.ts";
import type { CallStep } from "../../../contract/market-figures.ts";
import { SALES_STAGES, STAGES } from "../../../contract/stages.ts";
import { CALLED_RESULTS, type CallResult } from "../../../contract/standing.ts";
import { leadPurchases } from "./purchases.ts";

const REACHED = CONTACT_OUTCOMES.filter(reachesCustomer)
  .map((outcome) => `'${outcome}'`)
  .join(", ");

const STAGE_COLUMNS = CALLED_STAMPS.map((name) => `lead_purchases.${leadPurchases[name].name}`);

/** Later than any time. */
const NEVER = 9e15;

/**
 * SQL: we can reach the customer. In figures, only their "yes" and "not yet" count, because anyone can send a request
 * and answer on the page that follows.
 */
const IS_CONFIRMED = `EXISTS (SELECT 1 FROM leads AS asked
  WHERE asked.id = lead_purchases.lead_id AND asked.confirmed_by IS NOT NULL)`;

/** SQL: the time of the customer's "yes", which proves a call that the provider did not log; else never. */
const YES_AT = `(CASE WHEN lead_purchases.call_clock ->> '$.answer' = 'called' AND ${IS_CONFIRMED}
  THEN coalesce(lead_purchases.call_clock ->> '$.answeredAt', ${NEVER}) ELSE ${NEVER} END)`;

/** SQL: the time of the customer's "not yet". Calls before it do not count. Zero for any other response. */
const NOT_YET_AT = `(CASE WHEN lead_purchases.call_clock ->> '$.answer' = 'not_yet' AND ${IS_CONFIRMED}
  THEN coalesce(lead_purchases.call_clock ->> '$.answeredAt', 0) ELSE 0 END)`;

const FIRST_CONTACT = `nullif(min(
  coalesce((SELECT min(contact_log.logged_at) FROM contact_log WHERE contact_log.purchase_id = lead_purchases.id
    AND contact_log.outcome IN (${REACHED}) AND contact_log.at > ${NOT_YET_AT}), ${NEVER}),
  ${YES_AT},
  ${STAGE_COLUMNS.map((column) => `CASE WHEN ${column} > ${NOT_YET_AT} THEN ${column} ELSE ${NEVER} END`).join(",\n  ")}
), ${NEVER})`;

/**
 * SQL: when we first learnt that the buyer called or texted the customer; null without a call. The time that a phone
 * reports could turn a missed call into one in time.
 */
export const firstContactAt = sql.raw(FIRST_CONTACT) as SQL<number | null>;

/** SQL: the buyer spoke to the customer, at any time. For the guarantee, a text is not enough. */
export const isSpokenTo = sql.raw(
  `(coalesce(${STAGE_COLUMNS.join(", ")}) IS NOT NULL OR lead_purchases.call_clock ->> '$.answer' IS 'called')`,
) as SQL<boolean>;

/**
 * SQL: the customer withdrew the request before the clock ran out, or was erased. An erasure deletes the texts and the
 * withdrawal that would prove the rest. The index is named, because with the statistics of a small table SQLite would
 * scan it.
 */
const isCalledOff = sql`(EXISTS (SELECT 1 FROM customer_updates AS withdrawal INDEXED BY customer_updates_lead
    WHERE withdrawal.lead_id = lead_purchases.lead_id AND withdrawal.at <= lead_purchases.clock_ends_at
      AND withdrawal.kind = 'withdrawn')
  OR EXISTS (SELECT 1 FROM leads AS erased
    WHERE erased.id = lead_purchases.lead_id AND erased.erased_at IS NOT NULL))`;

/** SQL: a result of the call clock (contract/standing.ts). Only for purchases with a clock. @param now epoch ms */
export function callResult(now: number): SQL<CallResult> {
  return sql<CallResult>`(CASE
    WHEN lead_purchases.call_clock ->> '$.answer' = 'never_asked' THEN 'never_asked'
    WHEN EXISTS (SELECT 1 FROM bad_lead_reports
      WHERE bad_lead_reports.purchase_id = lead_purchases.id AND bad_lead_reports.state = 'granted')
      OR EXISTS (SELECT 1 FROM guarantee_cases WHERE guarantee_cases.purchase_id = lead_purchases.id
        AND guarantee_cases.state = 'granted' AND guarantee_cases.rule IN ('wrong_number', 'no_answer')) THEN 'bad_lead'
    WHEN lead_purchases.call_clock ->> '$.state' = 'rescued' AND ${sql.raw(IS_CONFIRMED)} THEN 'rescued'
    ELSE CASE ${firstContactAt} <= lead_purchases.clock_ends_at WHEN 1 THEN 'in_time' WHEN 0 THEN 'late'
      ELSE CASE WHEN ${isCalledOff} THEN 'withdrawn'
        WHEN lead_purchases.clock_ends_at > ${now} THEN 'open' ELSE 'missed' END END
    END)`;
}

/** SQL: a purchase with a call clock that counts in figures. Removed and refunded purchases do not. */
export const hasCountedClock = sql`lead_purchases.clock_ends_at IS NOT NULL AND lead_purchases.removed_at IS NULL
  AND lead_purchases.payment_status <> 'refunded'`;

const RESULTS_WITH_CALL = sql.raw(CALLED_RESULTS.map((result) => `'${result}'`).join(", "));

/** SQL: a purchase that counts as called in figures, in time or late. Whether the clock is running does not matter. */
const isCalledPurchase = sql`(${hasCountedClock} AND ${callResult(0)} IN (${RESULTS_WITH_CALL}))`;

// SQL for the steps of a request from its arrival to the job, for the admins' figures and the lists behind them.

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

const { callClock, clockEndsAt } = leadPurchases;

/**
 * The columns of a purchase that end its call clock: when the customer withdraws the request, or it is erased. If the
 * rescued lead exists, the clock stays rescued. A purchase without a clock stays without one.
 */
export const ENDED_CLOCK = {
  clockDueAt: null,
  callClock: sql<CallClock | null>`CASE WHEN ${clockEndsAt} IS NULL OR ${callClock} ->> 'rescueLeadId' IS NOT NULL THEN ${callClock}
    ELSE json_set(coalesce(${callClock}, '{}'), '$.state', 'over') END`,
};
