/** Payments: card payments and free claims. */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { PAYMENT_STATES } from "../../../contract/payments.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import { leadPurchases } from "./purchases.ts";

export const payments = sqliteTable(
  "payments",
  {
    id: text().primaryKey(),
    holdId: text("hold_id").notNull(),
    leadId: text("lead_id").notNull(),
    region: text({ enum: REGION_SLUGS }).notNull(),
    buyerId: text("buyer_id").notNull(),
    userId: text("user_id").notNull(),
    stripePaymentIntentId: text("stripe_payment_intent_id"),
    state: text({ enum: PAYMENT_STATES }).notNull(),
    /** 1 or 2 while the hold is open, else null. A business has at most two open holds in all regions. */
    slot: integer(),
    /** Keyed hashes of a new provider's networks, /56 and /48, while the hold is open. */
    newcomer56: text("newcomer_56"),
    newcomer48: text("newcomer_48"),
    amountCents: integer("amount_cents").notNull(),
    lastError: text("last_error"),
    /** Card details on the receipt. */
    cardBrand: text("card_brand"),
    cardLast4: text("card_last4"),
    /** The consent wording for saving the card; null when the buyer did not agree. */
    saveCardConsent: text("save_card_consent"),
    /** The claim key of the hold. It identifies one lead, in any region. */
    claimKey: text("claim_key"),
    /** When the buyer released the lead or the hold expired; null otherwise. */
    releasedAt: integer("released_at"),
    /** Amount refunded, including refunds made by hand in Stripe's dashboard. */
    refundedCents: integer("refunded_cents").notNull().default(0),
    succeededAt: integer("succeeded_at"),
    refundedAt: integer("refunded_at"),
    /** When we received the recorded Stripe response. A response to an earlier request is stale. */
    readAtStripeAt: integer("read_at_stripe_at").notNull().default(0),
    /** When a reconciliation last found the payment in Stripe's list. */
    seenAtStripeAt: integer("seen_at_stripe_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("payments_created").on(table.createdAt, table.id),
    index("payments_lead").on(table.leadId),
    uniqueIndex("payments_hold").on(table.holdId),
    uniqueIndex("payments_intent").on(table.stripePaymentIntentId),
    uniqueIndex("payments_open_slot")
      .on(table.buyerId, table.slot)
      .where(sql`slot IS NOT NULL`),
    index("payments_business").on(table.buyerId, table.createdAt, table.id),
    // The admins' list of one state. Also for the sweep: few payments have an unfinished state.
    index("payments_listed").on(table.state, table.createdAt, table.id),
    // Find a day's payments and refunds for the market figures.
    index("payments_succeeded")
      .on(table.succeededAt)
      .where(sql`succeeded_at IS NOT NULL`),
    index("payments_refunded")
      .on(table.refundedAt)
      .where(sql`refunded_at IS NOT NULL`),
    check("payments_slot_in_range", sql`slot IS NULL OR slot IN (1, 2)`),
    check("payments_amount_in_range", sql`amount_cents BETWEEN 0 AND 9999999999`),
  ],
);

/** Free claims, granted for bad leads or by a rule of the guarantee. */
export const freeClaims = sqliteTable(
  "free_claims",
  {
    id: text().primaryKey(),
    buyerId: text("buyer_id").notNull(),
    /** The purchase that the free claim makes up for. */
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    /** The free claim pays for a lead of this price. */
    priceCents: integer("price_cents").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When the free claim was revoked; null if it was not. */
    revokedAt: integer("revoked_at"),
    /** The lead that the free claim pays for. A failed claim returns the free claim. */
    usedForLeadId: text("used_for_lead_id"),
    usedAt: integer("used_at"),
    /** When the sweep found the purchase for the free claim. After that the sweep ignores the free claim. */
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("free_claims_purchase").on(table.purchaseId),
    uniqueIndex("free_claims_lead").on(table.usedForLeadId),
    index("free_claims_business").on(table.buyerId, table.usedAt, table.createdAt),
    // For the sweep: claims with an unknown outcome.
    index("free_claims_unfinished")
      .on(table.usedAt)
      .where(sql`used_at IS NOT NULL AND finished_at IS NULL`),
  ],
);
