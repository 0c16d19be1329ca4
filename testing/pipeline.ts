/** Fills pipelines of any size with two SQL statements. */
import { HOUR_MS } from "../contract/durations.ts";
import { SALES_STAGES } from "../contract/stages.ts";
import type { UserRow } from "../worker/platform/caller.ts";
import { newId } from "../worker/platform/ids.ts";

const FIRST = ["Amelia", "Bilal", "Chloe", "Dev", "Ebony", "Finn", "Grace", "Hugo", "Isla", "Jarrah"];
const LAST = ["Adams", "Brown", "Chen", "Dimitriou", "Evans", "Farouk", "Green", "Haddad", "Iyer", "Jones"];
const SUBURBS = ["Leichhardt", "Annandale", "Marrickville", "Parramatta", "Manly"];
const POSTCODES = ["2040", "2038", "2204", "2150", "2095"];
const SERVICES = ["lawn_mowing", "hedge_trimming", "garden_maintenance", "landscaping"];

/** Returns SQL that cycles through texts by a number. */
function cycleThrough(values: readonly string[], number: string): string {
  const cases = values.map((value, i) => `WHEN ${i} THEN '${value}'`).join(" ");
  return `CASE (${number}) % ${values.length} ${cases} END`;
}

/**
 * Gives a business `count` purchases an hour apart, spread over all stages. The newest is an hour old. One in
 * ten is archived, and one in four has a next action within a few weeks.
 */
export async function fillPipeline(
  DB: D1Database,
  owner: UserRow,
  count: number,
  now = Date.now(),
): Promise<void> {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)";
  const at = `?2 - (i + 1) * ${HOUR_MS}`;
  const mark = newId("pur").slice(4, 16);
  const leadId = `'lead_inner-west_${mark}' || printf('%06d', i)`;
  const name = `${cycleThrough(FIRST, "i")} || ' ' || ${cycleThrough(LAST, "i / 10")} || ' ' || i`;
  const suburb = cycleThrough(SUBURBS, "i");
  await DB.prepare(
    `${numbers} INSERT INTO leads (id, source, customer_name, customer_phone, customer_address, service_type, property_type, property_size, urgency, frequency, budget_concern, previous_experience, preferred_time, additional_services, suburb_name, suburb_postcode, region, listing_state, status, price_cents, created_at, expires_at)
     SELECT ${leadId}, 'manual', ${name}, '02 5550 ' || printf('%04d', i % 10000), (i + 1) || ' Banksia Street, ' || ${suburb}, json_array(${cycleThrough(SERVICES, "i")}), 'residential', 'medium', 'within_week', 'fortnightly', 'not_important', 'first_time', 'anytime', '[]', ${suburb}, ${cycleThrough(POSTCODES, "i")}, 'inner-west', 'private', 'sold', 5000, ${at}, ${at} FROM n`,
  )
    .bind(count, now)
    .run();
  await DB.prepare(
    `${numbers} INSERT INTO lead_purchases (id, lead_id, buyer_id, bought_by_user_id, buyer_name, mode, amount_paid_cents, payment_status, purchased_at, sales_stage, sales_notes, next_action_at, is_archived, archived_at, updated_at)
     SELECT 'pur_${mark}' || printf('%06d', i), ${leadId}, ?3, ?3, ?4, 'manual', 0, 'completed', ${at}, ${cycleThrough(SALES_STAGES, "i")}, CASE WHEN i % 3 = 0 THEN 'Note about job ' || i END, CASE WHEN i % 4 = 0 THEN ?2 + ((i % 30) - 10) * ${24 * HOUR_MS} END, i % 10 = 9, CASE WHEN i % 10 = 9 THEN ${at} END, ${at} FROM n`,
  )
    .bind(count, now, owner.id, `${owner.firstName} ${owner.lastName}`)
    .run();
}
