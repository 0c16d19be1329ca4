/**
 * Statements that enqueue alerts about leads for providers' devices. Run each in the batch of the change that causes
 * it. A provider without devices gets no row.
 */
import { and, eq, exists, gt, inArray, isNull, notExists, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { Db } from "../platform/db/client.ts";
import {
  alertSettings,
  customerAnswers,
  customerUpdates,
  leadPurchases,
  leads,
  messages,
  payments,
  pushDevices,
  users,
} from "../platform/db/schema.ts";
import { enqueue, toDevices } from "./commands.ts";
import { ASSIGNED_LIFETIME_MS, NOTIFICATIONS, WARNING_LEAD_MS } from "./notifications.ts";

/** The warning expires this long before the hold does. */
const WARNING_EXPIRY_MS = 10_000;
/** No warning is sent before the hold is this old. */
const MIN_HOLD_AGE_MS = 30_000;

/**
 * Enqueues the note about a new lead, in the batch that lists it. Requires that the lead is still `pending` in D1 and
 * that a device is registered. deliver-commands.ts expands the note into one message per device.
 */
export function enqueueListed(
  db: Db,
  { leadId, generation }: { leadId: string; generation: number },
  now: number,
) {
  const isFirst = and(
    eq(leads.id, leadId),
    eq(leads.generation, generation),
    eq(leads.listingState, "pending"),
    exists(db.select({ id: pushDevices.id }).from(pushDevices).where(gt(pushDevices.id, ""))),
  );
  const to = { channel: "spread", from: sql`${leads}`, where: isFirst } as const;
  return enqueue(db, "new_lead", { to, subject: { leadId, generation } }, now);
}

/** Returns the devices of the buyer in a hold's ledger row as recipients. */
const toHolder = (holdId: string) =>
  toDevices(
    eq(payments.holdId, holdId),
    sql`${payments} JOIN ${pushDevices} ON ${pushDevices.userId} = ${payments.buyerId}`,
  );

/**
 * Enqueues the warning that a hold is about to expire. Must follow the statement that inserts the hold's ledger row.
 * @param hold `endsAt`: the exchange's expiry, epoch ms
 */
export function enqueueHoldLapsing(
  db: Db,
  { holdId, leadId, endsAt }: { holdId: string; leadId: string; endsAt: number },
  now: number,
) {
  const due = Math.max(now + MIN_HOLD_AGE_MS, endsAt - WARNING_LEAD_MS);
  const payload = { holdId, leadId, endsAt };
  const expiresAt = endsAt - WARNING_EXPIRY_MS;
  return enqueue(
    db,
    "hold_lapsing",
    { to: toHolder(holdId), subject: { holdId }, payload, leadId, due, expiresAt },
    now,
  );
}

export function enqueueHoldLapsed(
  db: Db,
  { holdId, leadId }: { holdId: string; leadId: string },
  now: number,
) {
  const payload = { holdId, leadId };
  return enqueue(db, "hold_lapsed", { to: toHolder(holdId), subject: { holdId }, payload, leadId }, now);
}

/** Enqueues the alert that a payment arrived too late and is refunded. */
export function enqueuePaidTooLate(
  db: Db,
  owed: { paymentIntentId: string; leadId: string; businessId: string },
  now: number,
) {
  const { paymentIntentId, leadId, businessId } = owed;
  const to = toDevices(eq(pushDevices.userId, businessId));
  const payload = { leadId, paymentIntentId };
  return enqueue(db, "paid_too_late", { to, subject: { paymentIntentId }, payload, leadId }, now);
}

/** Enqueues the alerts about the open offer of a rescued lead. */
export function enqueueRescueOffer(
  db: Db,
  { leadId, businessId, endsAt }: { leadId: string; businessId: string; endsAt: number },
  now: number,
) {
  const to = toDevices(and(eq(pushDevices.userId, businessId), sql`${endsAt} > ${now}`));
  return enqueue(db, "rescue_offer", { to, subject: { leadId, endsAt }, leadId, expiresAt: endsAt }, now);
}

/** Enqueues the alert for a buyer who did not call that the request went to the next provider. */
export function enqueueRescued(
  db: Db,
  {
    purchase,
    rescueLeadId,
  }: { purchase: { id: string; leadId: string; buyerId: string }; rescueLeadId: string },
  now: number,
) {
  const { id: purchaseId, leadId, buyerId } = purchase;
  const isRescued = exists(db.select({ id: leads.id }).from(leads).where(eq(leads.id, rescueLeadId)));
  const to = toDevices(and(eq(pushDevices.userId, buyerId), isRescued));
  return enqueue(
    db,
    "lead_rescued",
    { to, subject: { purchaseId }, payload: { leadId, purchaseId }, leadId },
    now,
  );
}

/** Facts of a sale for its alerts. */
type SaleFacts = {
  purchaseId: string;
  businessId: string;
  mode: (typeof leadPurchases.$inferSelect)["mode"];
  soldAt: number;
};

/** `when`: a condition that must be true before the sale is written. */
type WrittenSale = { leadId: string; sale: SaleFacts; when: SQL };

/** Enqueues the alert that a business got a lead. A sale written too late causes no alert. */
export function enqueueLeadWon(db: Db, { leadId, sale, when }: WrittenSale, now: number) {
  const { purchaseId, businessId, mode, soldAt } = sale;
  const lifetimeMs = mode === "assigned" ? ASSIGNED_LIFETIME_MS : NOTIFICATIONS.lead_won.lifetimeMs;
  const expiresAt = soldAt + lifetimeMs;
  const to = toDevices(and(eq(pushDevices.userId, businessId), sql`${expiresAt} > ${now}`, when));
  const payload = { leadId, purchaseId };
  return enqueue(db, "lead_won", { to, subject: { purchaseId }, payload, leadId, expiresAt }, now);
}

/** Enqueues the alert about a sale for the team members that the owner chose. */
export function enqueueTeamSale(db: Db, { leadId, sale, when }: WrittenSale, now: number) {
  const { purchaseId, businessId, soldAt } = sale;
  const expiresAt = soldAt + NOTIFICATIONS.team_sale.lifetimeMs;
  const isChosen = and(
    eq(users.teamOwnerId, businessId),
    eq(users.isActive, true),
    // Use a subquery per member: with a join, SQLite would scan the settings of all owners.
    sql`(SELECT ${alertSettings.team} ->> 'sales' FROM ${alertSettings} WHERE ${alertSettings.userId} = ${users.id}) = 1`,
    sql`${expiresAt} > ${now}`,
    when,
  );
  const to = toDevices(isChosen, sql`${users} JOIN ${pushDevices} ON ${pushDevices.userId} = ${users.id}`);
  const payload = { leadId, purchaseId };
  return enqueue(db, "team_sale", { to, subject: { purchaseId }, payload, leadId, expiresAt }, now);
}

/**
 * Returns the query for a device's alert about a purchase's lead that is waiting, or was sent within the template's
 * window.
 * @param kind only alerts of this kind
 */
function recentAlert(
  db: Db,
  template: "customer_answered" | "call_answered" | "customer_update",
  now: number,
  kind?: SQLWrapper | string,
) {
  const earlier = alias(messages, "earlier");
  const since = now - NOTIFICATIONS[template].windowMs;
  return db
    .select({ id: earlier.id })
    .from(earlier)
    .where(
      and(
        eq(earlier.recipient, pushDevices.id),
        eq(earlier.template, template),
        eq(earlier.leadId, leadPurchases.leadId),
        kind === undefined ? undefined : sql`${earlier.payload} ->> 'kind' = ${kind}`,
        sql`(${earlier.state} = 'waiting' OR (${earlier.state} = 'sent' AND ${earlier.triedAt} > ${since}))`,
      ),
    );
}

/**
 * Enqueues an alert for each device of the lead's buyer, in the batch that stores the customer's reply. Skips a device
 * with a waiting alert, or one within the window, so three texts in a row cause one alert.
 */
export function enqueueAnswered(db: Db, answerId: string, now: number) {
  const to = toDevices(
    and(eq(customerAnswers.id, answerId), notExists(recentAlert(db, "customer_answered", now))),
    sql`${customerAnswers}
      JOIN ${leadPurchases} ON ${leadPurchases.id} = ${customerAnswers.purchaseId}
      JOIN ${pushDevices} ON ${pushDevices.userId} = ${leadPurchases.buyerId}`,
  );
  const payload = sql`json_object('leadId', ${leadPurchases.leadId}, 'purchaseId', ${leadPurchases.id})`;
  const leadId = sql`${leadPurchases.leadId}`;
  return enqueue(db, "customer_answered", { to, subject: { answerId }, payload, leadId }, now);
}

/** Extends the lead's waiting alerts at each new reply. They may be waiting for quiet hours to end. */
export function extendAnswered(db: Db, answerId: string, now: number) {
  const leadOf = db
    .select({ id: leadPurchases.leadId })
    .from(customerAnswers)
    .innerJoin(leadPurchases, eq(leadPurchases.id, customerAnswers.purchaseId))
    .where(eq(customerAnswers.id, answerId));
  return db
    .update(messages)
    .set({ expiresAt: now + NOTIFICATIONS.customer_answered.lifetimeMs })
    .where(
      and(
        inArray(messages.leadId, leadOf),
        eq(messages.template, "customer_answered"),
        eq(messages.state, "waiting"),
      ),
    );
}

/** Enqueues an alert about a review for the business's devices. */
export function enqueueReviewAlert(
  db: Db,
  template: "review_written" | "own_review_hidden",
  { purchaseId, leadId, businessId }: { purchaseId: string; leadId: string; businessId: string },
  now: number,
) {
  const to = toDevices(eq(pushDevices.userId, businessId));
  const payload = { leadId, purchaseId };
  return enqueue(db, template, { to, subject: { purchaseId, at: now }, payload, leadId }, now);
}

/** A purchase whose buyer is alerted about its call clock. */
type ClockAlert = { purchaseId: string; leadId: string };

/** Returns the devices of a purchase's buyer. */
const toBuyer = (purchaseId: string, when?: SQL) =>
  toDevices(
    and(eq(leadPurchases.id, purchaseId), when),
    sql`${leadPurchases} JOIN ${pushDevices} ON ${pushDevices.userId} = ${leadPurchases.buyerId}`,
  );

/** Enqueues the alert that the time to call the customer runs out soon. */
export function enqueueCallReminder(
  db: Db,
  { purchaseId, leadId, endsAt }: ClockAlert & { endsAt: number },
  now: number,
) {
  const payload = { leadId, purchaseId, endsAt };
  const draft = { to: toBuyer(purchaseId), subject: { purchaseId }, payload, leadId, expiresAt: endsAt };
  return enqueue(db, "call_reminder", draft, now);
}

/**
 * Enqueues the alert about the customer's response to "Did they call?". Skips a device with a waiting alert of the same
 * kind, or one within the window.
 * @param alert.kind the response, or `last_call` for the buyer's last 30 minutes
 */
export function enqueueCallAnswered(
  db: Db,
  { leadId, kind, purchaseId }: ClockAlert & { kind: string },
  now: number,
) {
  const to = toBuyer(purchaseId, notExists(recentAlert(db, "call_answered", now, kind)));
  const payload = { leadId, purchaseId, kind };
  const draft = { to, subject: { purchaseId, at: now }, payload, leadId };
  return enqueue(db, "call_answered", draft, now);
}

/**
 * Enqueues an alert for each device of the lead's buyer, in the batch that stores the customer's update. Skips a device
 * with a waiting alert of the same kind, or one within the window, so three changes in a row cause one alert.
 */
export function enqueueCustomerUpdate(db: Db, updateId: string, now: number) {
  const to = toDevices(
    and(
      eq(customerUpdates.id, updateId),
      isNull(leadPurchases.removedAt),
      notExists(recentAlert(db, "customer_update", now, customerUpdates.kind)),
    ),
    sql`${customerUpdates}
      JOIN ${leadPurchases} ON ${leadPurchases.leadId} = ${customerUpdates.leadId}
      JOIN ${pushDevices} ON ${pushDevices.userId} = ${leadPurchases.buyerId}`,
  );
  const payload = sql`json_object('leadId', ${leadPurchases.leadId}, 'purchaseId', ${leadPurchases.id}, 'kind', ${customerUpdates.kind})`;
  const leadId = sql`${leadPurchases.leadId}`;
  return enqueue(db, "customer_update", { to, subject: { updateId }, payload, leadId }, now);
}
