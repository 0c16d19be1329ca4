import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Stripe } from "stripe";

import { centsToText } from "../../../contract/money.ts";
import {
  type AdminPayment,
  formatCard,
  RECEIPT_STATES,
  type ReceiptState,
  type SavedCard,
} from "../../../contract/payments.ts";
import { LAPSE_WINDOW_MS, MAX_LAPSES } from "../../exchange/hold-rules.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import type { LeadRow } from "../../leads/rules.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { payments } from "../../platform/db/payments.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";
import type { Settings } from "../../platform/env.ts";
import type { PurchaseRow } from "../purchases/rules.ts";
import { CLAIM_KEY_MS, distinctCards, expiryOf, type LedgerRow, RECENT_HOLDS_MS } from "./rules.ts";

/** Returns a payment by its hold; null if the hold does not belong to this business. */
export async function findPayment(db: Db, scope: BusinessScope, holdId: string): Promise<LedgerRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.holdId, holdId), eq(payments.buyerId, scope.businessId)));
  return row ?? null;
}

/**
 * Returns payments in a state without an update since `before`. One state at a time: with several, SQLite would scan all
 * payments.
 * @param filter `after`: ids after this one come first, then the remaining ids. Pass a random id, so that rows that
 *   always fail do not block other rows
 */
export function listStale(
  db: Db,
  filter: { state: LedgerRow["state"]; before: number; after: string; limit: number },
): Promise<LedgerRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.state, filter.state), lt(payments.updatedAt, filter.before)))
    .orderBy(sql`${payments.id} <= ${filter.after}`, asc(payments.id))
    .limit(filter.limit);
}

/** Returns the open holds of deactivated businesses. Each business has at most two. */
export async function listOpenOfInactive(db: Db, limit: number): Promise<LedgerRow[]> {
  const rows = await db
    .select({ payment: payments })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.buyerId))
    .where(and(isNotNull(payments.slot), eq(users.isActive, false)))
    .limit(limit);
  return rows.map(({ payment }) => payment);
}

/** Returns a business's Customer id at Stripe; null if the business has never saved a card. */
export async function customerOf(db: Db, scope: BusinessScope): Promise<string | null> {
  const [row] = await db
    .select({ customerId: users.stripeCustomerId })
    .from(users)
    .where(eq(users.id, scope.businessId));
  return row?.customerId ?? null;
}

/** Returns a business's open holds, which can still be paid for. */
export function listOpen(db: Db, scope: BusinessScope): Promise<LedgerRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.buyerId, scope.businessId), isNotNull(payments.slot)));
}

function selectReceipts(db: Db) {
  return db
    .select({
      payment: payments,
      lead: {
        serviceType: leads.serviceType,
        suburbName: leads.suburbName,
        suburbPostcode: leads.suburbPostcode,
      },
      purchase: { buyerName: leadPurchases.buyerName, buyerCompany: leadPurchases.buyerCompany },
      account: {
        firstName: users.firstName,
        lastName: users.lastName,
        companyName: users.companyName,
        abn: users.abn,
      },
    })
    .from(payments)
    .innerJoin(leads, eq(leads.id, payments.leadId))
    .innerJoin(users, eq(users.id, payments.buyerId))
    .leftJoin(leadPurchases, eq(leadPurchases.paymentIntentId, payments.stripePaymentIntentId));
}

const isReceipt = (scope: BusinessScope) =>
  and(eq(payments.buyerId, scope.businessId), inArray(payments.state, [...RECEIPT_STATES]));

/** Returns a business's completed payments, newest first. */
export function listReceipts(
  db: Db,
  scope: BusinessScope,
  page: { after: After; limit: number },
): Promise<ReceiptFacts[]> {
  const { after } = page;
  return selectReceipts(db)
    .where(and(isReceipt(scope), olderThan(payments.createdAt, payments.id, after)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(page.limit);
}

/** Returns one of a business's completed payments; null if the payment does not belong to this business. */
export async function findReceipt(db: Db, scope: BusinessScope, id: string): Promise<ReceiptFacts | null> {
  const [row] = await selectReceipts(db).where(and(isReceipt(scope), eq(payments.id, id)));
  return row ?? null;
}

/**
 * Returns ledger facts that explain why a hold got no slot.
 * @param claim the hold's claim key and lead
 */
export async function findSlotRefusal(
  db: Db,
  scope: { businessId: string },
  claim: { key: string | null; leadId: string },
  now: number,
): Promise<{ isKeyReused: boolean; releaseTimes: number[]; soldTo: string | null }> {
  const { businessId } = scope;
  const [reused, releases, sales] = await db.batch([
    db
      .select({ id: payments.id })
      .from(payments)
      .where(
        and(
          eq(payments.buyerId, businessId),
          eq(payments.claimKey, claim.key ?? ""),
          gt(payments.createdAt, now - CLAIM_KEY_MS),
          ne(payments.leadId, claim.leadId),
        ),
      )
      .limit(1),
    db
      .select({ at: payments.releasedAt })
      .from(payments)
      .where(
        and(
          eq(payments.buyerId, businessId),
          gt(payments.createdAt, now - RECENT_HOLDS_MS),
          gt(payments.releasedAt, now - LAPSE_WINDOW_MS),
        ),
      )
      .orderBy(desc(payments.releasedAt))
      .limit(MAX_LAPSES),
    db
      .select({ buyerId: leadPurchases.buyerId })
      .from(leadPurchases)
      .where(and(eq(leadPurchases.leadId, claim.leadId), isNull(leadPurchases.removedAt))),
  ]);
  return {
    isKeyReused: reused.length > 0,
    releaseTimes: releases.map(({ at }) => at!),
    soldTo: sales[0]?.buyerId ?? null,
  };
}

/** Returns the row of any business's hold, or null. */
export async function findRowOfHold(db: Db, holdId: string): Promise<LedgerRow | null> {
  const [row] = await db.select().from(payments).where(eq(payments.holdId, holdId));
  return row ?? null;
}

/** Returns any business's payment by its ID. */
export async function findLedgerRow(db: Db, id: string): Promise<LedgerRow | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ?? null;
}

/** Returns a page of the ledger, newest first. @param q an id of a payment, hold or lead, or Stripe's payment id */
export async function listLedger(
  db: Db,
  filter: {
    state?: LedgerRow["state"] | undefined;
    buyerId?: string | undefined;
    q: string;
    after: After;
    limit: number;
  },
): Promise<AdminPayment[]> {
  const { state, buyerId, q, after, limit } = filter;
  const rows = await db
    .select({ payment: payments, first: users.firstName, last: users.lastName, company: users.companyName })
    .from(payments)
    .leftJoin(users, eq(users.id, payments.buyerId))
    .where(
      and(
        state ? eq(payments.state, state) : undefined,
        buyerId ? eq(payments.buyerId, buyerId) : undefined,
        q
          ? or(
              eq(payments.leadId, q),
              eq(payments.holdId, q),
              eq(payments.stripePaymentIntentId, q),
              eq(payments.id, q),
            )
          : undefined,
        olderThan(payments.createdAt, payments.id, after),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit);
  return rows.map(({ payment, first, last, company }) => ({
    id: payment.id,
    holdId: payment.holdId,
    leadId: payment.leadId,
    region: payment.region,
    buyerId: payment.buyerId,
    buyerName: company || (first ? `${first} ${last}` : "Unknown provider"),
    state: payment.state,
    amount: centsToText(payment.amountCents),
    stripePaymentIntentId: payment.stripePaymentIntentId,
    card: payment.cardLast4 ? formatCard({ brand: payment.cardBrand ?? "", last4: payment.cardLast4 }) : null,
    lastError: payment.lastError,
    createdAt: payment.createdAt,
    succeededAt: payment.succeededAt,
    refundedAt: payment.refundedAt,
    refunded: payment.refundedCents > 0 ? centsToText(payment.refundedCents) : null,
  }));
}

export async function purchaseOfPayment(db: Db, paymentIntentId: string) {
  const [purchase] = await db
    .select()
    .from(leadPurchases)
    .where(eq(leadPurchases.paymentIntentId, paymentIntentId));
  return purchase ?? null;
}

// Builds the views of payments and saved cards for businesses.

/** Returns the GST included in a price, in cents: one eleventh, to the nearest cent. */
export function gstWithin(cents: number): number {
  return Math.round(cents / 11);
}

/**
 * Returns a business's saved cards for display. Shows only the later copy of a card saved twice.
 * @param now epoch ms, to determine each card's expiry
 */
export function shownCards(methods: readonly Stripe.PaymentMethod[], now: number): SavedCard[] {
  return distinctCards(methods).map(({ id, card }) => {
    const { brand, last4, exp_month: expMonth, exp_year: expYear } = card!;
    return { id, brand, last4, expMonth, expYear, expiry: expiryOf({ expMonth, expYear }, now) };
  });
}

/** The data of a receipt. `purchase` is null if the payment did not result in a purchase. */
type ReceiptFacts = {
  payment: LedgerRow;
  lead: Pick<LeadRow, "serviceType" | "suburbName" | "suburbPostcode">;
  purchase: Pick<PurchaseRow, "buyerName" | "buyerCompany"> | null;
  account: Pick<UserRow, "firstName" | "lastName" | "companyName" | "abn">;
};

export function toReceiptLine({ payment, lead }: ReceiptFacts) {
  const { id, leadId, state, amountCents, cardBrand, cardLast4, succeededAt, createdAt } = payment;
  return {
    id,
    leadId,
    state: state as ReceiptState,
    amount: centsToText(amountCents),
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
    paidAt: succeededAt ?? createdAt,
    refundedAt: payment.refundedAt,
    refunded: payment.refundedCents > 0 ? centsToText(payment.refundedCents) : null,
    lead,
  };
}

/** Returns a full receipt. It is a tax invoice if the seller is registered for GST. */
export function toReceipt(
  facts: ReceiptFacts,
  { legalEntity, isGstRegistered: isTaxInvoice }: Pick<Settings, "legalEntity" | "isGstRegistered">,
) {
  const { purchase, account, payment } = facts;
  return {
    ...toReceiptLine(facts),
    isTaxInvoice,
    gst: isTaxInvoice ? centsToText(gstWithin(payment.amountCents)) : null,
    seller: legalEntity,
    buyer: {
      name: purchase?.buyerName || `${account.firstName} ${account.lastName}`,
      company: purchase ? purchase.buyerCompany : account.companyName,
      abn: account.abn,
    },
  };
}
