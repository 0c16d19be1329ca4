/** A request is passed on at most once, to one business after the other. */
import { callTimeBetween } from "../../contract/call-clock.ts";
import { MINUTE_MS } from "../../contract/durations.ts";
import { RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { openOffer } from "../../worker/exchange/listing.ts";
import type { Actors } from "./actors.ts";
import { isPaused, leadsOf, OPEN_STATES, purchasesOf, type Record } from "./facts.ts";
import { MAX_ALARM_DELAY_MS } from "./objects.ts";
import { CHANGED_FREQUENCY } from "./population.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** Maximum time an alarm needs to process its rows. */
const ALARM_MARGIN_MS = 5_000;

/** At every moment: a lead goes to the business with its offer, and never to its first buyer. */
export function checkOffers(world: World, records: readonly Record[]): void {
  for (const record of records) {
    const { leadId, rescue, hold, sale, state } = record;
    if (!rescue) continue;
    const owner = (hold ?? sale)?.businessId;
    if (owner === rescue.excludedBusinessId)
      throw new Violation(`Rescues: ${owner} has ${leadId}, whose first buyer did not call`);
    const offer = openOffer(record);
    if (offer && owner && owner !== offer.businessId)
      throw new Violation(`Rescues: ${owner} has ${leadId}, which is offered to ${offer.businessId}`);
    if (offer && !OPEN_STATES.has(state))
      throw new Violation(`Rescues: ${leadId} is ${state} and still offered to ${offer.businessId}`);
    const offered = rescue.offers.map(({ businessId }) => businessId);
    if (new Set(offered).size < offered.length)
      throw new Violation(`Rescues: ${leadId} was offered twice to one business`);
    // A paused region starts an offer again.
    if (
      offer &&
      !world.features.has("pauses") &&
      callTimeBetween(offer.offeredAt, offer.endsAt) > 10 * MINUTE_MS
    )
      throw new Violation(`Rescues: ${leadId} is offered for more than ten minutes`);
    checkEnd(world, record);
  }
}

/** An offer ends in time, unless a hold that began within it is still open. */
function checkEnd(world: World, record: Record): void {
  const offer = openOffer(record);
  if (!offer || record.state !== "available" || isPaused(world, record.region)) return;
  const { clockSkewMs, lastFaultAt } = world.exchanges.host(record.region);
  if (lastFaultAt >= offer.offeredAt - clockSkewMs) return;
  const delay = ALARM_MARGIN_MS + (world.features.has("alarms") ? MAX_ALARM_DELAY_MS : 0);
  const late = world.scheduler.now - (offer.endsAt - clockSkewMs);
  if (late > delay)
    throw new Violation(`Rescues: the offer of ${record.leadId} should have ended ${late} ms ago`);
}

type OfferRow = { leadId: string; businessId: string; outcome: string | null };

/** When all is done: no offer, lead or clock is left over, and D1 agrees with the exchanges. */
export function checkRescues(cast: Actors, records: readonly Record[]): void {
  const { world, withdrawnByCustomer, changedByCustomer, confirmedCalls } = cast;
  const leads = leadsOf(world);
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  const purchases = purchasesOf(world);
  const rows = world.d1.statements.rows(
    "SELECT lead_id AS leadId, business_id AS businessId, outcome FROM rescue_offers",
    [],
  ) as OfferRow[];
  for (const { id, rescuedFromId, erasedAt, status, frequency } of leads) {
    if (!rescuedFromId) continue;
    const first = byId.get(rescuedFromId)!;
    if (first.status !== "sold")
      throw new Violation(`Rescues: ${id} and ${first.id}, one request, are ${status} and ${first.status}`);
    if (first.rescuedFromId) throw new Violation(`Rescues: ${id} was rescued from a rescued lead`);
    const record = records.find((one) => one.leadId === id);
    const isOpen = record !== undefined && OPEN_STATES.has(record.state);
    if (isOpen && openOffer(record)) throw new Violation(`Rescues: ${id} is still offered to one business`);
    if (isOpen && (first.erasedAt !== null || erasedAt !== null))
      throw new Violation(`Rescues: the customer of ${id} was erased, and it is for sale`);
    if (isOpen && withdrawnByCustomer.has(first.id))
      throw new Violation(`Rescues: the customer of ${id} withdrew it, and it is for sale`);
    const purchase = purchases.find((one) => one.leadId === first.id);
    if (purchase && confirmedCalls.has(purchase.id))
      throw new Violation(`Rescues: ${id} was passed on after a call that both sides confirm`);
    for (const { mode, amountCents } of purchases.filter((one) => one.leadId === id))
      if ((mode === "stripe" || mode === "direct") && amountCents !== RESCUE_PRICE_CENTS)
        throw new Violation(`Rescues: ${id} was sold for ${amountCents} cents`);
    if (erasedAt === null && changedByCustomer.has(first.id) && frequency !== CHANGED_FREQUENCY)
      throw new Violation(`Rescues: ${id} lacks the change that its customer made`);
    checkOutcomes(world, record, rows);
  }
  const [dear] = world.d1.statements.rows(
    "SELECT id FROM leads WHERE rescued_from_id IS NOT NULL AND price_cents <> ?",
    [RESCUE_PRICE_CENTS],
  ) as { id: string }[];
  if (dear) throw new Violation(`Rescues: ${dear.id} has another price`);
  checkClocks(world);
}

/** D1 has every offer of an exchange's record, with its outcome. */
function checkOutcomes(world: World, record: Record | undefined, rows: readonly OfferRow[]): void {
  if (!record?.rescue) return;
  const { leadId, rescue } = record;
  for (const { businessId, outcome } of rescue.offers) {
    const row = rows.find((one) => one.leadId === leadId && one.businessId === businessId);
    if (!row || (row.outcome !== outcome && world.losses.size === 0))
      throw new Violation(
        `Rescues: the offer of ${leadId} to ${businessId} is ${outcome}, in D1 ${row ? row.outcome : "missing"}`,
      );
  }
}

/** A clock that says that the request was passed on has its lead, and nothing more to do. */
function checkClocks(world: World): void {
  const clocks = world.d1.statements.rows(
    `SELECT lead_id AS leadId, call_clock ->> 'rescueLeadId' AS rescueId, clock_due_at AS dueAt
     FROM lead_purchases WHERE call_clock ->> 'state' = 'rescued' AND removed_at IS NULL
       AND lead_id NOT IN (SELECT id FROM leads WHERE rescued_from_id IS NOT NULL)`,
    [],
  ) as { leadId: string; rescueId: string | null; dueAt: number | null }[];
  const known = new Set(leadsOf(world).map(({ id }) => id));
  for (const { leadId, rescueId, dueAt } of clocks)
    if (rescueId === null || !known.has(rescueId) || dueAt !== null)
      throw new Violation(
        `Rescues: the clock of ${leadId} says rescued, but ${rescueId ?? "no lead"} is not there`,
      );
}
