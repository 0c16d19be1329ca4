/**
 * Tables of request links, rescue offers, photos, bookings and the market's daily figures. `leads` is in
 * `platform/db/leads.ts`.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { OfferOutcome } from "../../contract/call-clock.ts";
import { CONFIRMED_BY } from "../../contract/leads.ts";
import type { PhotoKind } from "../../contract/photos.ts";
import { users } from "../platform/db/users.ts";
import { suburbs } from "../platform/db/suburbs.ts";
import { leads } from "../platform/db/leads.ts";

/** Secret links to the page of a request. Each email and the thank-you page has its own. */
export const requestLinks = sqliteTable(
  "request_links",
  {
    /** SHA-256 of the link's token; the token itself is not stored. */
    tokenHash: text("token_hash").primaryKey(),
    leadId: text("lead_id")
      .notNull()
      .references(() => leads.id),
    createdAt: integer("created_at").notNull(),
    /** How we sent the link; null for a link that a page showed. */
    sentBy: text("sent_by", { enum: CONFIRMED_BY }),
    /** The customer asked to withdraw the request while a provider was paying. The sweep asks the exchange again. */
    withdrawalAskedAt: integer("withdrawal_asked_at"),
  },
  (table) => [
    index("request_links_lead").on(table.leadId),
    index("request_links_withdrawal")
      .on(table.withdrawalAskedAt)
      .where(sql`withdrawal_asked_at IS NOT NULL`),
  ],
);

/** Offers of a rescued lead. They go to businesses that tried to buy the lead the first time and were too late. */
export const rescueOffers = sqliteTable(
  "rescue_offers",
  {
    leadId: text("lead_id")
      .notNull()
      .references(() => leads.id),
    businessId: text("business_id")
      .notNull()
      .references(() => users.id),
    offeredAt: integer("offered_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    /** Null while the offer is open. */
    outcome: text().$type<OfferOutcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.leadId, table.businessId] }),
    // A business's open offer, and the offers it ignored.
    index("rescue_offers_business").on(table.businessId, table.endsAt),
  ],
);

/** Used form starts, so that each works for one request only. Stored while a start is valid. */
export const formStarts = sqliteTable(
  "form_starts",
  {
    nonce: text().primaryKey(),
    /** The request that used the start. A retry of the same request may send it again. */
    submissionId: text("submission_id").notNull(),
    usedAt: integer("used_at").notNull(),
  },
  (table) => [index("form_starts_used").on(table.usedAt)],
);

/** Photos in the bucket. Each belongs to a request, a purchase or a business; an upload that belongs to none is swept. */
export const photos = sqliteTable(
  "photos",
  {
    /** Random, and part of the keys in the bucket. */
    id: text().primaryKey(),
    kind: text().$type<PhotoKind>().notNull(),
    leadId: text("lead_id"),
    purchaseId: text("purchase_id"),
    businessId: text("business_id"),
    /** SHA-256 of the visitor's upload token, which attaches the photo to the request; null for a provider's photo. */
    uploadHash: text("upload_hash"),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: integer().notNull(),
    /** When each agreed to show the photo to everyone. */
    customerAgreedAt: integer("customer_agreed_at"),
    providerAgreedAt: integer("provider_agreed_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("photos_lead")
      .on(table.leadId)
      .where(sql`lead_id IS NOT NULL`),
    index("photos_purchase")
      .on(table.purchaseId)
      .where(sql`purchase_id IS NOT NULL`),
    index("photos_business")
      .on(table.businessId)
      .where(sql`business_id IS NOT NULL`),
    // Jobs that service pages may show, newest first.
    index("photos_shown")
      .on(table.createdAt)
      .where(sql`kind = 'after' AND customer_agreed_at IS NOT NULL AND provider_agreed_at IS NOT NULL`),
    // Uploads of requests that are not sent yet, and deleted photos: at most a few thousand.
    index("photos_unowned")
      .on(table.uploadHash, table.createdAt)
      .where(sql`lead_id IS NULL AND purchase_id IS NULL AND business_id IS NULL`),
  ],
);

export const bookings = sqliteTable(
  "bookings",
  {
    id: text().primaryKey(),
    submissionId: text("submission_id"),
    /** Reference that the visitor can quote, for an inspection. A garden booking uses its lead's reference. */
    reference: text(),
    name: text().notNull(),
    phone: text().notNull(),
    email: text().notNull(),
    vehicle: text().notNull().default(""),
    serviceType: text("service_type").notNull(),
    propertySize: text("property_size").notNull(),
    preferredDate: text("preferred_date"),
    message: text(),
    suburbId: text("suburb_id").references(() => suburbs.id),
    /** The lead that was created from a garden booking. */
    leadId: text("lead_id"),
    consentWording: text("consent_wording"),
    /** When an admin handled an inspection booking, and which admin. */
    handledAt: integer("handled_at"),
    handledByUserId: text("handled_by_user_id"),
    /** Normalised contact details for finding the visitor in any format, as for leads. */
    phoneKey: text("phone_key"),
    otherPhoneKey: text("other_phone_key"),
    emailKey: text("email_key"),
    /** Set when the visitor was erased. */
    erasedAt: integer("erased_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("bookings_submission").on(table.submissionId),
    uniqueIndex("bookings_reference")
      .on(table.reference)
      .where(sql`reference IS NOT NULL`),
    index("bookings_phone").on(table.phoneKey),
    index("bookings_other_phone")
      .on(table.otherPhoneKey)
      .where(sql`other_phone_key <> ''`),
    index("bookings_email").on(table.emailKey),
    // Inspections, or garden bookings: for the admins' lists and the retention job.
    index("bookings_listed")
      .on(sql`(lead_id IS NULL)`, table.createdAt, table.id)
      .where(sql`erased_at IS NULL`),
    // Exclude rows without a lead, or SQLite looks up NULL here and finds every inspection.
    index("bookings_lead")
      .on(table.leadId)
      .where(sql`lead_id IS NOT NULL`),
    // Inspections that no admin has handled.
    index("bookings_waiting")
      .on(table.createdAt, table.id)
      .where(sql`lead_id IS NULL AND handled_at IS NULL AND erased_at IS NULL`),
  ],
);

/**
 * The market's figures by day in Sydney. docs/figures.md has the queries. Visits are counted as they happen, and the cron
 * counts the rest. With `counted_at` set to 0, it counts them again.
 */
export const marketDays = sqliteTable("market_days", {
  /** Such as "2026-11-22". */
  day: text().primaryKey(),
  /** Page views and started forms of visitors. No visitor is identified. */
  pages: integer().notNull().default(0),
  forms: integer().notNull().default(0),
  leads: integer().notNull().default(0),
  suspicious: integer().notNull().default(0),
  /** Requests of the day that were listed, and how many of them are sold now. */
  listed: integer().notNull().default(0),
  taken: integer().notNull().default(0),
  /** How many of them reached Called or a later stage, and how many jobs were booked. */
  called: integer().notNull().default(0),
  booked: integer().notNull().default(0),
  sold: integer().notNull().default(0),
  given: integer().notNull().default(0),
  revenueCents: integer("revenue_cents").notNull().default(0),
  refundCents: integer("refund_cents").notNull().default(0),
  badLeads: integer("bad_leads").notNull().default(0),
  /** `listed` and `taken` of each region with activity. */
  regions: text({ mode: "json" })
    .$type<Record<string, { listed: number; taken: number }>>()
    .notNull()
    .default({}),
  /* Number of providers on the day itself. Null when the cron did not count it on that day. */
  providers: integer(),
  freshProviders: integer("fresh_providers"),
  activeProviders: integer("active_providers"),
  countedAt: integer("counted_at").notNull().default(0),
});
