/**
 * Tables about bought leads (customer answers, corrections, reviews), and figures computed from them. `lead_purchases`
 * is in `platform/db/purchases.ts`.
 */
import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { ReviewRule } from "../../contract/reviews.ts";
import { leadPurchases } from "../platform/db/purchases.ts";

/** Customers' replies to our text messages, for the buyer of the request. */
export const customerAnswers = sqliteTable(
  "customer_answers",
  {
    id: text().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    body: text().notNull(),
    /** Idempotency key: a hash of the gateway's reply, so that a repeated webhook writes nothing. */
    gatewayRef: text("gateway_ref").notNull(),
    at: integer().notNull(),
  },
  (table) => [
    index("customer_answers_purchase").on(table.purchaseId, table.at),
    uniqueIndex("customer_answers_ref").on(table.gatewayRef),
  ],
);

/**
 * Number of purchases on each tile of a business, so that counting does not read the pipeline. Only triggers on
 * `lead_purchases` write it (migration 0002).
 */
export const pipelineCounts = sqliteTable(
  "pipeline_counts",
  {
    businessId: text("business_id").notNull(),
    tile: text().notNull(),
    purchases: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.businessId, table.tile] })],
);

/** A business's corrections to its customer's details, with the earlier values. The request itself does not change. */
export const contactCorrections = sqliteTable(
  "contact_corrections",
  {
    id: integer().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    /** The earlier name; null if the business did not correct it, empty if there was none. */
    nameBefore: text("name_before"),
    phoneBefore: text("phone_before"),
    emailBefore: text("email_before"),
    addressBefore: text("address_before"),
    /** Keys of the corrected details, like a lead's. For erasing the customer. */
    phoneKey: text("phone_key"),
    otherPhoneKey: text("other_phone_key"),
    emailKey: text("email_key"),
    changedByUserId: text("changed_by_user_id").notNull(),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [
    index("contact_corrections_purchase").on(table.purchaseId, table.id),
    index("contact_corrections_phone").on(table.phoneKey),
    index("contact_corrections_other_phone")
      .on(table.otherPhoneKey)
      .where(sql`other_phone_key <> ''`),
    index("contact_corrections_email").on(table.emailKey),
  ],
);

/** Reviews by customers, one for each purchase. A row without `writtenAt` is an invitation. */
export const reviews = sqliteTable(
  "reviews",
  {
    id: text().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    leadId: text("lead_id").notNull(),
    businessId: text("business_id").notNull(),
    /** When the customer was asked, and until when they can write the review. A link to their request opens it. */
    invitedAt: integer("invited_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    /** One to five. */
    stars: integer(),
    /** The customer's text, redacted like a lead's; null after the customer's erasure. */
    words: text(),
    /** First name to show; null after the customer's erasure. */
    customerName: text("customer_name"),
    suburbId: text("suburb_id"),
    serviceType: text("service_type").notNull(),
    writtenAt: integer("written_at"),
    reply: text(),
    repliedAt: integer("replied_at"),
    /** Why an admin should look at it, such as `provider_network`: written where a provider signs in. */
    flag: text(),
    /** The published rule by which it is hidden. */
    hiddenRule: text("hidden_rule").$type<ReviewRule>(),
    hiddenAt: integer("hidden_at"),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("reviews_purchase").on(table.purchaseId),
    index("reviews_business")
      .on(table.businessId, table.writtenAt)
      .where(sql`written_at IS NOT NULL`),
    // The newest reviews of everyone: the admins' list and the public figures.
    index("reviews_written")
      .on(table.writtenAt)
      .where(sql`written_at IS NOT NULL`),
    // Few reviews have a flag or are hidden: the admins' open task, and the public count.
    index("reviews_moderated")
      .on(table.writtenAt, table.id)
      .where(sql`flag IS NOT NULL OR hidden_rule IS NOT NULL`),
    check("reviews_stars_in_range", sql`stars IS NULL OR stars BETWEEN 1 AND 5`),
  ],
);

/** Figures that public pages show, computed from our records once a night. */
export const publicFigures = sqliteTable("public_figures", {
  /** Such as "rating" or "price:lawn_mowing:Ballina Shire Council". */
  key: text().primaryKey(),
  value: real().notNull(),
  /** Records that the value is computed from. */
  n: integer().notNull(),
  /** Businesses that these records are from. */
  businesses: integer().notNull(),
  /** First and last day of the period, such as "2026-11-25". */
  fromDay: text("from_day").notNull(),
  toDay: text("to_day").notNull(),
  computedAt: integer("computed_at").notNull(),
});
