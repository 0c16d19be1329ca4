import { and, eq, getTableColumns } from "drizzle-orm";

import type { PurchaseRequest } from "../../../contract/purchases.ts";
import {
  adminRefusalError,
  exchangeOf,
  refusalError,
  sendCommandToMarket,
} from "../../exchange/exchange-calls.ts";
import type { Listing, Sale } from "../../exchange/listing.ts";
import type { ProjectionOutcome } from "../../exchange/ports.ts";
import { type BuyerDetails, purchaseRow } from "../../exchange/queries.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { findActiveProvider } from "../../identity/providers/queries.ts";
import { projectListing } from "../../leads/projection-commands.ts";
import { findLead, hasOwnRequest } from "../../leads/queries.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { notifyRoom } from "../../live/room.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import { findPurchase, findSoldLead, wasRemoved } from "./queries.ts";
import type { PurchaseRow, SoldLead } from "./rules.ts";
import { type PurchasedLeadView, toPurchasedLead } from "./views.ts";

/** Returns a new purchase as D1 stores it, with default values for missing columns. */
function storedRow(row: typeof leadPurchases.$inferInsert): PurchaseRow {
  const columns = Object.entries(getTableColumns(leadPurchases));
  const defaults = Object.fromEntries(columns.map(([name, column]) => [name, column.default ?? null]));
  return { ...defaults, ...row } as PurchaseRow;
}

/**
 * Writes a sale to D1 and acknowledges it to the exchange. On failure the exchange's outbox writes the sale later.
 *
 * @param region the region where the lead is sold
 * @param buyer the details from the purchase form; null for the account's details
 * @returns `conflict` if D1 has another owner for the lead; `later` if the outbox must write the sale
 */
export async function recordSale(
  context: Context,
  region: string,
  listing: Listing,
  buyer: BuyerDetails | null,
  requestId: string | null = null,
): Promise<ProjectionOutcome | "later"> {
  try {
    const outcome = await projectListing(context.db, listing, buyer, requestId);
    // A sale that conflicts stays in the outbox until its payment is refunded.
    if (outcome === "written")
      await exchangeOf(context, region)?.acknowledge(listing.leadId, listing.version);
    return outcome;
  } catch (error) {
    log("warn", "sale_left_to_outbox", { leadId: listing.leadId, error });
    return "later";
  }
}

/**
 * Returns whether a sale was later removed from the business's pipeline.
 * @throws DomainError details_delayed if D1 fails, because the business may not be allowed to see the details
 */
export function isRemoved(db: Db, scope: BusinessScope, purchaseId: string): Promise<boolean> {
  return wasRemoved(db, scope, purchaseId).catch(() => {
    throw detailsDelayed();
  });
}

function detailsDelayed(): DomainError {
  return new DomainError(
    "details_delayed",
    "You bought this lead. Its details will be in your pipeline within a minute.",
  );
}

async function contactDetails(db: Db, leadId: string): Promise<LeadRow> {
  const lead = await findLead(db, leadId).catch(() => null);
  if (!lead) throw detailsDelayed();
  return lead;
}

/**
 * Buys a lead without a card (local development). Returns the full contact details even if the write to D1 failed. A
 * repeated call returns the same purchase.
 * @param form the buyer's details in the purchase form
 * @throws DomainError lead_taken, lead_closed, lead_not_found, exchange_unavailable, details_delayed
 */
export async function buyDirect(
  context: Context,
  scope: BusinessScope,
  leadId: string,
  form: PurchaseRequest,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<PurchasedLeadView> {
  const { businessId, userId } = scope;
  if (await hasOwnRequest(context.db, businessId, leadId)) throw new DomainError("own_request");
  const order = { leadId, businessId, userId, mode: "direct", amountCents: null } as const;
  const { answer, region } = await sendCommandToMarket(context, { type: "sell", ...order });
  if (!answer.ok) throw refusalError(answer);
  const sale = answer.listing.sale!;
  // The purchase was removed from this business's pipeline, so do not return the details again.
  if (answer.repeated && (await isRemoved(context.db, scope, sale.purchaseId))) {
    throw new DomainError("lead_closed");
  }
  const buyer = buyerOfForm(form);
  if ((await recordSale(context, region, answer.listing, buyer)) === "conflict")
    throw new DomainError("lead_taken");
  ctx.waitUntil(notifyRoom(context, scope, sale.purchaseId));
  return boughtLead(context, scope, answer.listing, sale, buyer);
}

/** Returns the buyer's details from the purchase form. */
export function buyerOfForm(form: PurchaseRequest): BuyerDetails {
  return {
    name: form.buyerName,
    email: form.buyerEmail,
    phone: form.buyerPhone,
    company: form.buyerCompany ?? null,
  };
}

/**
 * Returns a sale's purchase with the full contact details, even if the purchase is not in D1 yet.
 * @throws DomainError details_delayed if the lead cannot be read from D1
 */
export async function boughtLead(
  context: Context,
  scope: BusinessScope,
  listing: Listing,
  sale: Sale,
  buyer: BuyerDetails,
): Promise<PurchasedLeadView> {
  const db = context.db;
  const lead = await contactDetails(db, listing.leadId);
  const stored = await findPurchase(db, scope, sale.purchaseId).catch(() => null);
  return toPurchasedLead(stored ?? storedRow(purchaseRow(listing.leadId, sale, buyer)), lead);
}

/** Adds the details from the purchase form to a purchase that was recorded without them. */
export async function saveBuyer(
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

/**
 * Gives a lead to a provider for free, when a super admin claims or assigns it. A repeated call returns the same
 * purchase.
 * @param order `businessId` receives the lead, `userId` is the admin, `requestId` is for the audit log
 * @throws DomainError not_found if there is no such active provider; lead_held, lead_taken, lead_closed,
 *   lead_not_found, already_bought, region_paused, exchange_unavailable, details_delayed
 */
export async function giveLead(
  context: Context,
  leadId: string,
  order: { businessId: string; userId: string; mode: "claimed" | "assigned"; requestId?: string },
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<SoldLead> {
  const db = context.db;
  if (!(await findActiveProvider(db, order.businessId)))
    throw new DomainError("not_found", "No active provider found");
  const { requestId, ...buyer } = order;
  const { answer, region } = await sendCommandToMarket(context, {
    type: "sell",
    leadId,
    ...buyer,
    amountCents: 0,
  });
  if (!answer.ok) throw adminRefusalError(answer);
  const { listing, repeated } = answer;
  const sale = listing.sale!;
  if (repeated && sale.mode !== order.mode)
    throw new DomainError("already_bought", "This lead is already in that provider's pipeline.");
  if ((await recordSale(context, region, listing, null, requestId ?? null)) === "conflict")
    throw new DomainError("lead_taken");
  ctx.waitUntil(notifyRoom(context, order, sale.purchaseId));
  const given = await findSoldLead(db, sale.purchaseId).catch(() => null);
  if (!given)
    throw new DomainError("details_delayed", "Lead assigned. It will show in the pipeline within a minute.");
  if (given.purchase.removedAt !== null) throw new DomainError("lead_closed");
  return given;
}
