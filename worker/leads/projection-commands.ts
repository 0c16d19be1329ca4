import { isUniqueViolation } from "../platform/db/unique.ts";
import { and, eq, exists, isNotNull, isNull, lt, ne, notExists, type SQL, sql } from "drizzle-orm";

import { clockEnd, reminderTime } from "../../contract/call-clock.ts";
import { DAY_MS } from "../../contract/durations.ts";
import type { PAYMENT_STATUSES } from "../../contract/purchases.ts";
import { REVIEW_AFTER_DAYS } from "../../contract/reviews.ts";
import { attentionWhen, enqueue, raiseAttention } from "../outbox/commands.ts";
import type { Db } from "../platform/db/client.ts";
import { auditWhen } from "../identity/audit/store.ts";
import { rescueOffers } from "./tables.ts";
import { leads } from "../platform/db/leads.ts";
import { payments } from "../platform/db/payments.ts";
import { leadPurchases, stageChanges } from "../platform/db/purchases.ts";
import { users } from "../platform/db/users.ts";
import { type BuyerDetails, purchaseRow } from "../exchange/queries.ts";
import { type Departure, isOpen, openOffer, type Projection, type Sale } from "../exchange/listing.ts";
import { newLead } from "./alerts/messages.ts";
import {
  leadWon,
  requestExpired,
  requestReceived,
  requestTakenRows,
  requestWithdrawn,
  rescueOffer,
  teamSale,
} from "./messages.ts";
import type { ProjectionOutcome } from "../exchange/ports.ts";

async function findBuyer(db: Db, businessId: string): Promise<BuyerDetails> {
  const [user] = await db.select().from(users).where(eq(users.id, businessId));
  if (!user) return { name: "Unknown provider", email: null, phone: null, company: null };
  return {
    name: `${user.firstName} ${user.lastName}`,
    email: user.email,
    phone: user.phone,
    company: user.companyName,
  };
}

/** The audit log's action for a sale. */
const SALE_ACTIONS: Record<Sale["mode"], string> = {
  stripe: "lead.sold",
  direct: "lead.sold",
  claimed: "lead.claimed",
  assigned: "lead.assigned",
  manual: "lead.added",
};

/** SQL: the payment's status in the ledger. A refund may arrive before the outbox writes the sale. */
function statusOfPayment(paymentIntentId: string): SQL<(typeof PAYMENT_STATUSES)[number]> {
  return sql`coalesce((SELECT ${payments.state} FROM ${payments}
    WHERE ${payments.stripePaymentIntentId} = ${paymentIntentId}
      AND ${payments.state} IN ('refunded', 'disputed')), 'completed')`;
}

/** SQL: the lead's state in D1 before the batch changes it, for the audit log's "before". */
function leadStateBefore(leadId: string): SQL {
  return sql`(SELECT json_object('status', status, 'listingState', listing_state, 'region', region, 'generation', generation) FROM leads WHERE id = ${leadId})`;
}

/**
 * Returns the times of the sale's call clock. A lead that its provider added has no clock. A sale reads the lead's
 * urgency twice and writes one row of an index more (worker/lead-cost.test.ts).
 */
function clockColumns(leadId: string, { mode, soldAt }: Sale) {
  if (mode === "manual") return {};
  const [urgent, other] = [clockEnd(soldAt, "urgent"), clockEnd(soldAt, "flexible")];
  const byUrgency = (ifUrgent: number, ifOther: number) =>
    sql<number>`(SELECT CASE urgency WHEN 'urgent' THEN ${ifUrgent} ELSE ${ifOther} END FROM leads WHERE id = ${leadId})`;
  return {
    clockEndsAt: byUrgency(urgent, other),
    clockDueAt: byUrgency(reminderTime(soldAt, urgent), reminderTime(soldAt, other)),
  };
}

/** Returns when the customer is asked for a review. Only the customers of leads that were paid for are asked. */
const reviewColumns = ({ mode, soldAt }: Sale) =>
  mode === "stripe" || mode === "direct" ? { reviewDueAt: soldAt + REVIEW_AFTER_DAYS * DAY_MS } : {};

/** Returns the statements that write a sale: audit entry, messages, purchase and first stage. Safe to repeat. */
function saleStatements(db: Db, leadId: string, sale: Sale, buyer: BuyerDetails, requestId: string | null) {
  const { purchaseId, businessId, userId, mode, amountCents, soldAt, paymentIntentId } = sale;
  const entry = {
    at: soldAt,
    action: SALE_ACTIONS[mode],
    subjectType: "lead",
    subjectId: leadId,
    ...(mode !== "manual" && { before: leadStateBefore(leadId) }),
    after: { purchaseId, businessId, mode, amountCents, status: "sold" },
    requestId,
  };
  const alreadyWritten = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.id, purchaseId));
  const now = Date.now();
  const when = notExists(alreadyWritten);
  return [
    auditWhen(db, when, { userId, asUserId: null }, entry),
    enqueue(db, requestTakenRows, { leadId, purchaseId }, now, { when }),
    // A provider who added the lead needs no alert about it.
    ...(mode === "manual"
      ? []
      : [
          enqueue(db, leadWon, { leadId, purchaseId, businessId, mode, soldAt }, now, { when }),
          enqueue(db, teamSale, { leadId, purchaseId, businessId, mode, soldAt }, now, { when }),
        ]),
    db
      .insert(leadPurchases)
      .values({
        ...purchaseRow(leadId, sale, buyer),
        ...clockColumns(leadId, sale),
        ...reviewColumns(sale),
        ...(paymentIntentId && { paymentStatus: statusOfPayment(paymentIntentId) }),
      })
      .onConflictDoNothing({ target: leadPurchases.id }),
    db
      .insert(stageChanges)
      .values({
        purchaseId,
        fromStage: null,
        toStage: "accepted_lead",
        changedByUserId: userId,
        changedAt: soldAt,
      })
      .onConflictDoNothing(),
  ] as const;
}

/**
 * Returns the statements that write a lead's departure from its market: the audit entry (once) and the lead. A moved
 * lead is `pending` until its new region has listed it.
 */
function departureStatements(
  db: Db,
  { leadId, generation, version }: Projection,
  departureDetails: Departure,
  isNewer: SQL,
  requestId: string | null,
) {
  const { byUserId, at, toRegion } = departureDetails;
  const entry = toRegion
    ? {
        action: "lead.moved",
        after: { generation: generation + 1, region: toRegion },
      }
    : { action: "lead.withdrawn", after: { status: "withdrawn" } };
  const change = toRegion
    ? {
        region: toRegion,
        generation: generation + 1,
        // The next region starts its versions again.
        exchangeVersion: 0,
        status: "available" as const,
        listingState: "pending" as const,
      }
    : { exchangeVersion: version, status: "withdrawn" as const, listingState: "closed" as const };
  const isWanted = exists(db.select({ id: leads.id }).from(leads).where(isNewer));
  const actor = { userId: byUserId, asUserId: null };
  const subject = { subjectType: "lead", subjectId: leadId, before: leadStateBefore(leadId) };
  // A visitor who was never notified of the listing needs no notice of the withdrawal.
  const wasListed = and(isNewer, sql`${leads.listingState} = 'listed'`);
  return [
    auditWhen(db, isWanted, actor, { at, ...subject, ...entry, requestId }),
    ...(toRegion
      ? []
      : [enqueue(db, requestWithdrawn, { leadId, generation }, Date.now(), { when: wasListed })]),
    db.update(leads).set(change).where(isNewer),
  ] as const;
}

/** SQL: a field of a value of `json_each`. */
const field = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;

/**
 * Returns the statement that writes a rescued lead's offers. A late write neither opens an offer again nor shortens it.
 */
function writeOffers(db: Db, { leadId, rescue }: Projection) {
  const offers = JSON.stringify(rescue?.offers ?? []);
  const columns = {
    leadId: sql`${leadId}`.as("lead_id"),
    businessId: field("businessId").as("business_id"),
    offeredAt: field("offeredAt").as("offered_at"),
    endsAt: field("endsAt").as("ends_at"),
    outcome: field("outcome").as("outcome"),
  };
  return db
    .insert(rescueOffers)
    .select(
      db
        .select(columns)
        .from(sql`json_each(${offers})`)
        // After a restore D1 may lack the lead or the business.
        .where(
          sql`EXISTS (SELECT 1 FROM leads WHERE id = ${leadId})
            AND EXISTS (SELECT 1 FROM users WHERE id = value ->> 'businessId')`,
        ),
    )
    .onConflictDoUpdate({
      target: [rescueOffers.leadId, rescueOffers.businessId],
      set: {
        offeredAt: sql`excluded.offered_at`,
        endsAt: sql`excluded.ends_at`,
        outcome: sql`excluded.outcome`,
      },
      setWhere: sql`${rescueOffers.outcome} IS NULL
        AND (excluded.outcome IS NOT NULL OR excluded.ends_at > ${rescueOffers.endsAt})`,
    });
}

/**
 * Returns the statements that enqueue messages about an unsold lead, for the batch that writes its state. Without an
 * alert, providers may never see a listed lead.
 */
function messageStatements(db: Db, projection: Projection, isNewer: SQL) {
  const { leadId, generation, state } = projection;
  const now = Date.now();
  if (isOpen(state)) {
    // The customer of a rescued lead had this message at its first sale.
    const isFirst = and(isNewer, sql`${leads.listingState} = 'pending'`, isNull(leads.rescuedFromId));
    return [
      enqueue(db, newLead, { leadId, generation }, now),
      enqueue(db, requestReceived, { leadId }, now, { when: isFirst }),
    ];
  }
  if (state !== "expired") return [];
  const detail = "No other provider bought this request. Please find the customer a provider.";
  return [
    enqueue(db, requestExpired, { leadId, generation }, now, { when: isNewer }),
    attentionWhen(
      db,
      { kind: "rescue_needed", subjectId: leadId, detail, since: now },
      sql`FROM leads WHERE ${and(isNewer, isNotNull(leads.rescuedFromId))}`,
    ),
  ];
}

/**
 * Writes an exchange's decision to D1: the lead's status and, for a sale, the purchase. Safe to repeat. An older
 * version never overwrites a newer one.
 * @param buyer the details from the purchase form; null for the account's details
 * @param requestId the caller's request, for the audit log; null if the outbox writes after the request has ended
 * @throws D1's errors, for the caller to retry
 */
export async function projectListing(
  db: Db,
  projection: Projection,
  buyer: BuyerDetails | null,
  requestId: string | null = null,
): Promise<ProjectionOutcome> {
  const { leadId, generation, version, state, sale, departure } = projection;
  const bought = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  const offer = openOffer(projection);
  if (offer) {
    const alert = { leadId, businessId: offer.businessId, endsAt: offer.endsAt };
    await db.batch([writeOffers(db, projection), enqueue(db, rescueOffer, alert, Date.now())]);
    // D1 keeps the lead pending until the offers end. If its exchange loses it, the sweep lists it again.
    return "written";
  }
  if (projection.rescue) await writeOffers(db, projection);
  // Ignore an exchange's decision about a lead that has moved since.
  const isNewer = and(
    eq(leads.id, leadId),
    eq(leads.generation, generation),
    lt(leads.exchangeVersion, version),
    // A bought lead stays sold, even if its exchange has lost the sale.
    sale ? undefined : notExists(bought),
  )!;
  if (departure) {
    await db.batch(departureStatements(db, projection, departure, isNewer, requestId));
    return "written";
  }
  const updateLead = db
    .update(leads)
    .set({
      // D1 does not follow holds: a held lead is still on the market.
      status: isOpen(state) ? "available" : state,
      exchangeVersion: version,
      listingState: isOpen(state) ? "listed" : "closed",
    })
    .where(isNewer);
  if (!sale) {
    const [first, ...others] = messageStatements(db, projection, isNewer);
    if (first) await db.batch([first, ...others, updateLead]);
    else await updateLead;
    return "written";
  }
  const statements = saleStatements(
    db,
    leadId,
    sale,
    buyer ?? (await findBuyer(db, sale.businessId)),
    requestId,
  );
  try {
    await db.batch([...statements, updateLead]);
    return "written";
  } catch (error) {
    if (!isUniqueViolation(error, "lead_purchases.lead_id")) throw error;
    // Another purchase has the lead: D1 must stop offering it.
    await updateLead;
    await raiseAttention(
      db,
      "sale_conflict",
      leadId,
      "D1 already has another live purchase of this lead",
      sale.soldAt,
    );
    return "conflict";
  }
}

/** Closes a lead's listing so that the sweep stops retrying, e.g. after the exchange refused it as outdated. */
export async function closeListing(db: Db, leadId: string, generation: number): Promise<void> {
  await db
    .update(leads)
    .set({ listingState: "closed" })
    .where(and(eq(leads.id, leadId), eq(leads.generation, generation), ne(leads.listingState, "closed")));
}
