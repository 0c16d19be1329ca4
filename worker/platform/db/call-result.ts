/**
 * SQL about a purchase's call clock, for all figures of calls. Each expression reads one row of `lead_purchases`. What
 * counts as a call is defined in contract/call-state.ts.
 */
import { type SQL, sql } from "drizzle-orm";

import { CALLED_STAMPS } from "../../../contract/call-state.ts";
import { CONTACT_OUTCOMES, reachesCustomer } from "../../../contract/contacts.ts";
import { CALLED_RESULTS, type CallResult } from "../../../contract/standing.ts";
import { leadPurchases } from "./schema.ts";

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
export const isCalledPurchase = sql`(${hasCountedClock} AND ${callResult(0)} IN (${RESULTS_WITH_CALL}))`;
