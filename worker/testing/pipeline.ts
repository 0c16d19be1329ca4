/** Pipelines of any size, quickly: rows as the product writes them, many to a batch. */
import { SALES_STAGES } from "../../contract/purchases.ts";
import type { UserRow } from "../auth/rules.ts";
import { newId, newLeadId } from "../ids.ts";

const HOUR_MS = 3_600_000;
const FIRST = ["Amelia", "Bilal", "Chloe", "Dev", "Ebony", "Finn", "Grace", "Hugo", "Isla", "Jarrah"];
const LAST = ["Adams", "Brown", "Chen", "Dimitriou", "Evans", "Farouk", "Green", "Haddad", "Iyer", "Jones"];
const PLACES = [
  ["Leichhardt", "2040"],
  ["Annandale", "2038"],
  ["Marrickville", "2204"],
  ["Parramatta", "2150"],
  ["Manly", "2095"],
] as const;
const SERVICES = ["lawn_mowing", "hedge_trimming", "garden_maintenance", "landscaping"];
/** Purchases to one statement: D1 takes 100 values. */
const BATCH = 100;

/**
 * Gives a business `count` purchases an hour apart, the newest an hour old, spread over all stages, one in
 * ten archived, one in four with a next action.
 */
export async function fillPipeline(DB: D1Database, owner: UserRow, count: number, now = Date.now()) {
  const lead = DB.prepare(
    "INSERT INTO leads (id, source, customer_name, customer_phone, customer_address, service_type, property_type, property_size, urgency, frequency, budget_concern, previous_experience, preferred_time, additional_services, suburb_name, suburb_postcode, region, listing_state, status, price_cents, created_at, expires_at) VALUES (?, 'manual', ?, ?, ?, ?, 'residential', 'medium', 'within_week', 'fortnightly', 'not_important', 'first_time', 'anytime', '[]', ?, ?, 'inner-west', 'private', 'sold', 5000, ?, ?)",
  );
  const purchase = DB.prepare(
    "INSERT INTO lead_purchases (id, lead_id, buyer_id, bought_by_user_id, buyer_name, mode, amount_paid_cents, payment_status, purchased_at, sales_stage, sales_notes, next_action_at, is_archived, archived_at, updated_at) VALUES (?, ?, ?, ?, ?, 'manual', 0, 'completed', ?, ?, ?, ?, ?, ?, ?)",
  );
  for (let start = 0; start < count; start += BATCH) {
    const statements = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => {
      const i = start + offset;
      const at = now - (i + 1) * HOUR_MS;
      const leadId = newLeadId("inner-west");
      const [suburb, postcode] = PLACES[i % PLACES.length]!;
      const isArchived = i % 10 === 9;
      const name = `${FIRST[i % 10]} ${LAST[Math.floor(i / 10) % 10]} ${i}`;
      const phone = `02 5550 ${String(i % 10_000).padStart(4, "0")}`;
      const service = JSON.stringify([SERVICES[i % SERVICES.length]]);
      const nextActionAt = i % 4 === 0 ? now + ((i % 30) - 10) * 24 * HOUR_MS : null;
      return [
        lead.bind(
          leadId,
          name,
          phone,
          `${i + 1} Banksia Street, ${suburb} NSW ${postcode}`,
          service,
          suburb,
          postcode,
          at,
          at,
        ),
        purchase.bind(
          newId("pur"),
          leadId,
          owner.id,
          owner.id,
          `${owner.firstName} ${owner.lastName}`,
          at,
          SALES_STAGES[i % SALES_STAGES.length]!,
          i % 3 === 0 ? `Note about job ${i}` : null,
          nextActionAt,
          isArchived ? 1 : 0,
          isArchived ? at : null,
          at,
        ),
      ];
    });
    await DB.batch(statements.flat());
  }
}
