import { sql } from "drizzle-orm";
import { check, index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { LEAD_FIELDS } from "../../../contract/lead-fields.ts";
import { CONFIRMED_BY, LEAD_SOURCES, LEAD_STATUSES, LISTING_STATES } from "../../../contract/leads.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import { users } from "./users.ts";
import { suburbs } from "./suburbs.ts";

export const leads = sqliteTable(
  "leads",
  {
    id: text().primaryKey(),
    submissionId: text("submission_id"),
    /** Reference that the visitor can quote; null for a provider's own lead. */
    reference: text(),
    source: text({ enum: LEAD_SOURCES }).notNull(),
    customerId: text("customer_id").references(() => users.id),
    customerName: text("customer_name").notNull(),
    customerPhone: text("customer_phone").notNull(),
    customerEmail: text("customer_email"),
    customerAddress: text("customer_address").notNull(),
    serviceType: text("service_type", { mode: "json" }).$type<string[]>().notNull(),
    propertyType: text("property_type", { enum: LEAD_FIELDS.propertyType.choices }).notNull(),
    propertySize: text("property_size", { enum: LEAD_FIELDS.propertySize.choices }).notNull(),
    grassType: text("grass_type", { enum: LEAD_FIELDS.grassType.choices }),
    urgency: text({ enum: LEAD_FIELDS.urgency.choices }).notNull(),
    frequency: text({ enum: LEAD_FIELDS.frequency.choices }).notNull(),
    accessRequirements: text("access_requirements", { enum: LEAD_FIELDS.accessRequirements.choices }),
    budgetConcern: text("budget_concern", { enum: LEAD_FIELDS.budgetConcern.choices }).notNull(),
    previousExperience: text("previous_experience", {
      enum: LEAD_FIELDS.previousExperience.choices,
    }).notNull(),
    specificRequests: text("specific_requests"),
    lawnCondition: text("lawn_condition", { enum: LEAD_FIELDS.lawnCondition.choices }),
    hasSlopes: integer("has_slopes", { mode: "boolean" }).notNull().default(false),
    hasPets: integer("has_pets", { mode: "boolean" }).notNull().default(false),
    preferredTime: text("preferred_time", { enum: LEAD_FIELDS.preferredTime.choices }).notNull(),
    additionalServices: text("additional_services", { mode: "json" }).$type<string[]>().notNull(),
    /** The details that the customer stated; null if that is not recorded (contract/stated-details.ts). */
    stated: text({ mode: "json" }).$type<string[]>(),
    preferredLocation: text("preferred_location"),
    suburbId: text("suburb_id").references(() => suburbs.id),
    suburbName: text("suburb_name"),
    suburbPostcode: text("suburb_postcode"),
    /** The suburb's centre. */
    latitude: real(),
    longitude: real(),
    /** The lead's region. Fixed once listed, unless an admin moves the lead (then generation + 1). */
    region: text({ enum: REGION_SLUGS }).notNull(),
    generation: integer().notNull().default(1),
    listingState: text("listing_state", { enum: LISTING_STATES }).notNull(),
    status: text({ enum: LEAD_STATUSES }).notNull().default("available"),
    /** Version of the exchange's record in `status`. An older projection never overwrites a newer one. */
    exchangeVersion: integer("exchange_version").notNull().default(0),
    leadScore: integer("lead_score").notNull().default(0),
    priceCents: integer("price_cents").notNull(),
    consentWording: text("consent_wording"),
    consentAt: integer("consent_at"),
    /** Phone in E.164, email in lower case, normalised street: used to find duplicate requests. */
    phoneKey: text("phone_key"),
    /**
     * The second number of two, or a number that could not be parsed. Empty for neither; null when not computed yet.
     */
    otherPhoneKey: text("other_phone_key"),
    emailKey: text("email_key"),
    /** When an email to this address bounced; null if none has, and after a change of the address. */
    emailBouncedAt: integer("email_bounced_at"),
    streetKey: text("street_key"),
    /** Keyed hashes of the sender's /48, /56 and /64, separated by dots. For IPv4, all three are equal. */
    originKey: text("origin_key"),
    /** Reasons for quarantine; empty for an ordinary request. */
    quarantineReasons: text("quarantine_reasons", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** When an admin released or dropped the request. The audit log records which admin. */
    reviewedAt: integer("reviewed_at"),
    withdrawnReason: text("withdrawn_reason"),
    /** Photos of the request. Rivals see only how many. */
    photoCount: integer("photo_count").notNull().default(0),
    /** How and when the customer wants to be reached; null when they did not say. */
    contactMethod: text("contact_method", { enum: LEAD_FIELDS.contactMethod.choices }),
    contactTime: text("contact_time", { enum: LEAD_FIELDS.contactTime.choices }),
    /** How the customer showed that we can reach them; null until then. */
    confirmedBy: text("confirmed_by", { enum: CONFIRMED_BY }),
    /** Wrong guesses on the request's page (worker/customer/changes/queries.ts). */
    digitTries: integer("digit_tries").notNull().default(0),
    /** For a rescued lead: the earlier lead of the same request, sold to a buyer who did not call. Unique. */
    rescuedFromId: text("rescued_from_id"),
    /** The ID of a business that must not buy this lead: a rescued lead's first buyer, or else the sender's own. */
    excludedBusinessId: text("excluded_business_id"),
    /** The redacted name and texts that rival providers may read. */
    redactedName: text("redacted_name"),
    redactedRequests: text("redacted_requests"),
    redactedLocation: text("redacted_location"),
    /** Number of the customer's latest change; 0 before the first. Each change has a higher one. */
    revision: integer().notNull().default(0),
    /** Set when the customer was erased, on request or by the retention job. */
    erasedAt: integer("erased_at"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("leads_submission").on(table.submissionId),
    uniqueIndex("leads_reference")
      .on(table.reference)
      .where(sql`reference IS NOT NULL`),
    index("leads_customer")
      .on(table.customerId)
      .where(sql`customer_id IS NOT NULL`),
    index("leads_phone").on(table.phoneKey, table.createdAt),
    index("leads_other_phone")
      .on(table.otherPhoneKey)
      .where(sql`other_phone_key <> ''`),
    index("leads_email").on(table.emailKey, table.createdAt),
    // Requests from one /48 that were not quarantined.
    index("leads_origin")
      .on(sql`(substr(origin_key, 1, 22))`, table.createdAt)
      .where(sql`quarantine_reasons = '[]'`),
    // Recent requests for a suburb, without manual leads.
    index("leads_suburb")
      .on(table.suburbId, table.createdAt)
      .where(sql`source <> 'manual'`),
    // The admins' lists, newest first: all, one region's, quarantined, manual.
    index("leads_created").on(table.createdAt, table.id),
    // Requests with one final status, which may be rare. The expression deliberately differs from the sweeps' queries:
    // SQLite would use a plain index on status for every query, although almost all requests have one of two statuses.
    index("leads_by_end")
      .on(sql`(status || '')`, table.createdAt, table.id)
      .where(sql`status <> 'available'`),
    // The expression deliberately differs from the market's query. Without statistics, SQLite would use this index for
    // that query and read the whole history.
    index("leads_by_region").on(sql`(region || '')`, table.createdAt, table.id),
    // Admins search by the start of a name, a surname or a street, with the expressions of worker/operations/leads/queries.ts.
    index("leads_by_name").on(sql`(lower(customer_name))`),
    index("leads_by_surname").on(sql`(substr(lower(customer_name), instr(customer_name, ' ') + 1))`),
    index("leads_by_street")
      .on(sql`(ltrim(street_key, '0123456789/- '))`)
      .where(sql`street_key IS NOT NULL`),
    // Requests that wait for an admin, and for the sweep: stored, but not listed.
    index("leads_waiting")
      .on(table.listingState, table.createdAt, table.id)
      .where(sql`listing_state = 'pending' OR listing_state = 'quarantined'`),
    // GET /api/leads: newest available leads, in all regions or in one.
    index("leads_available")
      .on(table.createdAt, table.id)
      .where(sql`status = 'available' AND listing_state = 'listed'`),
    index("leads_available_region")
      .on(table.region, table.createdAt, table.id)
      .where(sql`status = 'available' AND listing_state = 'listed'`),
    uniqueIndex("leads_rescued_from")
      .on(table.rescuedFromId)
      .where(sql`rescued_from_id IS NOT NULL`),
    // For the retention job: unsold and long-sold leads that still contain personal data.
    index("leads_to_erase")
      .on(sql`(status = 'sold')`, table.createdAt)
      .where(sql`erased_at IS NULL`),
    check("leads_price_in_range", sql`price_cents BETWEEN 0 AND 9999999999`),
    check("leads_lists_are_json", sql`json_valid(service_type) AND json_valid(additional_services)`),
  ],
);
