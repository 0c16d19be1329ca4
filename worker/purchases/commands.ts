import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";

import type { PurchaseRequest, PurchaseUpdate } from "../../contract/purchases.ts";
import { type Actor, auditWhen } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { leadPurchases, stageChanges } from "../db/schema.ts";
import { exchangeOf, roomOf } from "../durable-objects/stubs.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { type BuyerDetails, projectListing } from "../exchange/commands.ts";
import { askMarketOf, refusalError } from "../exchange/asking.ts";
import type { Listing, Sale } from "../exchange/listing.ts";
import { findLead } from "../leads/queries.ts";
import type { LeadRow } from "../leads/rules.ts";
import type { BusinessScope } from "../middleware/access.ts";
import { findPurchase, findPurchaseDetail, wasRemoved } from "./queries.ts";
import {
  changesOf,
  isClosed,
  isLogged,
  type PurchasedLead,
  type PurchaseRow,
  STAGE_TIMES,
  toPurchasedLead,
} from "./rules.ts";
import { log } from "../log.ts";

/** The purchase as D1 will have it, from what the sale and the form say. */
export function purchaseRow(listing: Listing, sale: Sale, buyer: BuyerDetails): PurchaseRow {
  return {
    id: sale.purchaseId,
    leadId: listing.leadId,
    buyerId: sale.businessId,
    boughtByUserId: sale.userId,
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    buyerPhone: buyer.phone,
    buyerCompany: buyer.company,
    mode: sale.mode,
    amountPaidCents: sale.amountCents,
    paymentStatus: "completed",
    purchasedAt: sale.soldAt,
    salesStage: "accepted_lead",
    salesNotes: null,
    notesVersion: 0,
    customerPaymentAmountCents: null,
    nextActionAt: null,
    nextActionNote: null,
    notesByUserId: null,
    notesAt: null,
    calledAt: null,
    quoteSentAt: null,
    jobBookedAt: null,
    jobCompleteAt: null,
    invoiceSentAt: null,
    invoicePaidAt: null,
    declinedAt: null,
    finalisedAt: null,
    isArchived: false,
    archivedAt: null,
    removedAt: null,
    updatedAt: sale.soldAt,
  };
}

/**
 * Writes a sale to D1 and tells the exchange so; on failure the exchange's outbox does it later.
 * @param region where the lead is traded
 * @param buyer what the purchase form said; null takes the account's details
 */
export async function recordSale(
  env: Env,
  region: string,
  listing: Listing,
  buyer: BuyerDetails | null,
): Promise<void> {
  try {
    await projectListing(database(env.DB), listing, buyer);
    await exchangeOf(env, region)?.acknowledge(listing.leadId, listing.version);
  } catch (error) {
    log("warn", "sale_left_to_outbox", { leadId: listing.leadId, error });
  }
}

async function contactDetails(db: Db, leadId: string): Promise<LeadRow> {
  const lead = await findLead(db, leadId).catch(() => null);
  if (!lead)
    throw new DomainError(
      "details_delayed",
      "You bought this lead. Its details will be in your pipeline within a minute.",
    );
  return lead;
}

/**
 * Buys a lead without a card (local development). The exchange decides; the answer has the full contact
 * details even when D1 could not be written just now. Asking again returns the same purchase.
 * @param form who buys, as the purchase form said
 * @throws DomainError lead_taken, lead_closed, lead_not_found, exchange_unavailable, details_delayed
 */
export async function buyDirect(
  env: Env,
  scope: BusinessScope,
  leadId: string,
  form: PurchaseRequest,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<PurchasedLead> {
  const { answer, region } = await askMarketOf(env, leadId, (exchange) =>
    exchange.sell({
      leadId,
      businessId: scope.businessId,
      userId: scope.userId,
      mode: "direct",
      amountCents: null,
    }),
  );
  if (!answer.ok) throw refusalError(answer);
  const sale = answer.listing.sale!;
  // Sold to this business before, and taken out of its pipeline since: its details are not given again.
  if (answer.repeated && (await wasRemoved(database(env.DB), scope, sale.purchaseId))) {
    throw new DomainError("lead_closed");
  }
  const buyer = buyerOfForm(form);
  await recordSale(env, region, answer.listing, buyer);
  ctx.waitUntil(notifyRoom(env, scope, sale.purchaseId));
  return boughtLead(env, scope, answer.listing, sale, buyer);
}

/** Who buys, as the purchase form says. */
export function buyerOfForm(form: PurchaseRequest): BuyerDetails {
  return {
    name: form.buyerName,
    email: form.buyerEmail,
    phone: form.buyerPhone,
    company: form.buyerCompany ?? null,
  };
}

/**
 * A sale's purchase with the full contact details, also when D1 could not be written just now.
 * @throws DomainError details_delayed when D1 cannot even be read
 */
export async function boughtLead(
  env: Env,
  scope: BusinessScope,
  listing: Listing,
  sale: Sale,
  buyer: BuyerDetails,
): Promise<PurchasedLead> {
  const db = database(env.DB);
  const lead = await contactDetails(db, listing.leadId);
  const stored = await findPurchase(db, scope, sale.purchaseId).catch(() => null);
  return toPurchasedLead(stored ?? purchaseRow(listing, sale, buyer), lead);
}

/** Writes the purchase form's details on a purchase that was recorded before they were known. */
export async function nameBuyer(
  db: Db,
  scope: BusinessScope,
  purchaseId: string,
  buyer: BuyerDetails,
): Promise<void> {
  const { name, email, phone, company } = buyer;
  await db
    .update(leadPurchases)
    .set({ buyerName: name, buyerEmail: email, buyerPhone: phone, buyerCompany: company })
    .where(and(eq(leadPurchases.id, purchaseId), eq(leadPurchases.buyerId, scope.businessId)));
}

/** Tells the business's other windows; a missed push is made up for when they reconnect. */
export async function notifyRoom(
  env: Env,
  { businessId, userId }: Pick<BusinessScope, "businessId" | "userId">,
  purchaseId: string,
): Promise<void> {
  try {
    const notice = { type: "purchase_changed", purchaseId, byUserId: userId } as const;
    await roomOf(env, businessId).notify(notice);
  } catch (error) {
    log("warn", "room_unreachable", { error });
  }
}

/**
 * The time of a change that is later than the one before, whatever the clocks of two Workers say: windows
 * tell an old answer from a new one by it.
 */
export function laterThanBefore(now: number): SQL<number> {
  return sql<number>`max(${now}, ${leadPurchases.updatedAt} + 1)`;
}

/** Who changes a purchase, in which request, and when (epoch ms). */
export type By = { actor: Actor; requestId: string; now: number };

/** The log's line about a purchase that `where` finds, with its states and amounts before the change. */
export function purchaseLog(
  db: Db,
  { actor, requestId, now }: By,
  entry: { action: string; id: string; after: Record<string, unknown> },
  where: SQL | undefined,
) {
  const { id, action, after } = entry;
  const found = db.select({ id: leadPurchases.id }).from(leadPurchases).where(where);
  const before = sql`(SELECT json_object('salesStage', sales_stage, 'customerPaymentAmountCents', customer_payment_amount_cents, 'nextActionAt', next_action_at, 'archivedAt', archived_at, 'finalisedAt', finalised_at) FROM lead_purchases WHERE id = ${id})`;
  return auditWhen(db, exists(found), actor, {
    at: now,
    action,
    subjectType: "purchase",
    subjectId: id,
    before,
    after,
    requestId,
  });
}

/** What an update says for the log: the fields it names, without what people wrote. */
function loggedUpdate(update: PurchaseUpdate) {
  const { salesNotes, nextActionNote, notesVersion: _, ...states } = update;
  return {
    ...states,
    ...(salesNotes !== undefined && { salesNotes: "changed" }),
    ...(nextActionNote !== undefined && { nextActionNote: "changed" }),
  };
}

/**
 * Moves a purchase along its pipeline and saves notes, amount and next action. One batch: either all of
 * it or nothing.
 * @returns the purchase after the change
 * @throws DomainError not_found when it is not this business's; purchase_closed; notes_conflict when the
 *   notes changed since `notesVersion`, with what they are now
 */
export async function updatePurchase(
  db: Db,
  scope: BusinessScope,
  id: string,
  update: PurchaseUpdate,
  by: By,
): Promise<PurchaseRow> {
  const { now } = by;
  const { salesStage, salesNotes, notesVersion } = update;
  const guardsNotes = salesNotes !== undefined && notesVersion !== undefined;
  const mine = and(
    eq(leadPurchases.id, id),
    eq(leadPurchases.buyerId, scope.businessId),
    isNull(leadPurchases.removedAt),
    eq(leadPurchases.isArchived, false),
    isNull(leadPurchases.finalisedAt),
    guardsNotes ? eq(leadPurchases.notesVersion, notesVersion) : undefined,
  );
  const time =
    salesStage && salesStage in STAGE_TIMES ? STAGE_TIMES[salesStage as keyof typeof STAGE_TIMES] : null;
  const change = db
    .update(leadPurchases)
    .set({
      ...changesOf(update),
      ...(salesNotes !== undefined && {
        notesVersion: sql`${leadPurchases.notesVersion} + 1`,
        notesByUserId: scope.userId,
        notesAt: now,
      }),
      ...(time && { [time]: sql`coalesce(${leadPurchases[time]}, ${now})` }),
      updatedAt: laterThanBefore(now),
    })
    .where(mine)
    .returning();
  // Log and history are written first, from what the update is about to replace.
  const logged = purchaseLog(
    db,
    by,
    { action: "purchase.update", id, after: loggedUpdate(update) },
    and(mine, isLogged(update, by.actor.asUserId !== null) ? undefined : sql`0`),
  );
  const [, , [row]] = await db.batch([logged, stageEntry(db, scope, salesStage, mine, now), change]);
  if (row) return row;
  throw await refusal(db, scope, id);
}

/** The history's line about a new stage; none when the purchase is on it already. */
function stageEntry(
  db: Db,
  scope: BusinessScope,
  salesStage: string | undefined,
  mine: SQL | undefined,
  now: number,
) {
  return db.insert(stageChanges).select(
    db
      .select({
        id: sql`NULL`.as("id"),
        purchaseId: leadPurchases.id,
        fromStage: leadPurchases.salesStage,
        toStage: sql`${salesStage ?? null}`.as("to_stage"),
        changedByUserId: sql`${scope.userId}`.as("changed_by_user_id"),
        changedAt: sql`${now}`.as("changed_at"),
      })
      .from(leadPurchases)
      .where(and(mine, sql`${leadPurchases.salesStage} <> ${salesStage ?? null}`)),
  );
}

/** Why an update found nothing to change. */
async function refusal(db: Db, scope: BusinessScope, id: string): Promise<DomainError> {
  const current = await findPurchaseDetail(db, scope, id);
  if (!current) return new DomainError("not_found", "Purchase not found");
  const { purchase, notesBy } = current;
  if (isClosed(purchase)) return new DomainError("purchase_closed", "This lead is closed. Restore it first.");
  return new DomainError("notes_conflict", undefined, undefined, {
    text: purchase.salesNotes ?? "",
    version: purchase.notesVersion,
    by: notesBy,
  });
}
