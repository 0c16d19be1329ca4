/**
 * The whole data model. D1 is the source of truth for requests, people, purchases and pipelines. The region's exchange
 * is the source of truth for availability: `leads.status` is its projection, ordered by `exchange_version`. Stripe is
 * the source of truth for money, and `payments` is our ledger.
 *
 * Money is in integer cents and time in epoch milliseconds. Ids are prefixed text. No column has a CHECK with a list of
 * values: the contract's schemas and these types guard writes (docs/decisions/0008).
 */
import { type SQL, sql } from "drizzle-orm";
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

import { type SignInMethod, USER_TYPES } from "../../../contract/auth.ts";
import type { CallClock, OfferOutcome } from "../../../contract/call-clock.ts";
import type { ContactOutcome } from "../../../contract/contacts.ts";
import type { CheckKind, CheckState } from "../../../contract/checks.ts";
import { BAD_LEAD_REASONS, BAD_LEAD_STATES } from "../../../contract/bad-leads.ts";
import type { GuaranteeRule, GuaranteeState } from "../../../contract/guarantee.ts";
import { LEAD_FIELDS } from "../../../contract/lead-fields.ts";
import { CONFIRMED_BY, LEAD_SOURCES, LEAD_STATUSES, LISTING_STATES } from "../../../contract/leads.ts";
import type { ChallengePurpose } from "../../../contract/passkeys.ts";
import type { QuietHours } from "../../../contract/notifications.ts";
import { PAYMENT_STATES } from "../../../contract/payments.ts";
import type { PhotoKind } from "../../../contract/photos.ts";
import type { ProviderNoteKind } from "../../../contract/providers.ts";
import type { CorrectedDetail } from "../../../contract/corrections.ts";
import { PAYMENT_STATUSES, PURCHASE_MODES } from "../../../contract/purchases.ts";
import { MAX_DATE_MS } from "../../../contract/pipeline.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import type {
  CustomerChange,
  CustomerUpdateKind,
  PendingUpdateKind,
} from "../../../contract/request-links.ts";
import type { ReviewRule } from "../../../contract/reviews.ts";
import type { TeamAlerts } from "../../../contract/team.ts";
import type { TextTemplate } from "../../../contract/text-templates.ts";
import type { MessageChannel, MessagePayload, MessageState } from "./message-types.ts";

/** A Durable Object with sockets: a region's exchange or a business's room. */
export type Place = `region:${string}` | `room:${string}`;

export const suburbs = sqliteTable(
  "suburbs",
  {
    id: text().primaryKey(),
    /** `name`, or `name-postcode` if several suburbs share a name. */
    slug: text().notNull(),
    name: text().notNull(),
    /** One key for all spellings of the name: `placeKey` in contract/place-names.ts. */
    nameKey: text("name_key").notNull(),
    postcode: text().notNull(),
    council: text().notNull(),
    state: text().notNull().default("NSW"),
    region: text({ enum: REGION_SLUGS }).notNull(),
    latitude: real().notNull(),
    longitude: real().notNull(),
    population: integer().notNull().default(0),
    /** Slugs of the nearby places, nearest first, as JSON. The suburb import computes them. */
    near: text().notNull().default("[]"),
    /** Number of reference facts that are specific to this suburb: `contract/suburb-facts.ts`. */
    referenceFacts: integer("reference_facts").notNull().default(0),
    /* Operators maintain the columns below. The suburb import never writes them. */
    description: text(),
    phone: text(),
    email: text(),
    address: text(),
    openingHours: text("opening_hours"),
    priceFrom: integer("price_from").notNull().default(49),
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [
    uniqueIndex("suburbs_slug").on(table.slug),
    index("suburbs_name").on(table.nameKey, table.population),
    index("suburbs_postcode").on(table.postcode, table.population),
    index("suburbs_active").on(table.isActive, table.population),
    index("suburbs_council").on(table.council, table.isActive, table.population),
  ],
);

export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    username: text().notNull(),
    email: text(),
    /**
     * An address that the user has not confirmed yet. No user can sign in with it or find the account by it. Several
     * accounts may have the same one.
     */
    pendingEmail: text("pending_email"),
    passwordHash: text("password_hash").notNull(),
    mustChangePassword: integer("must_change_password", { mode: "boolean" }).notNull().default(false),
    userType: text("user_type", { enum: USER_TYPES }).notNull(),
    /** The provider whose pipeline a team member works on. */
    teamOwnerId: text("team_owner_id"),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    phone: text(),
    /** The phone number in E.164; null without a complete number. */
    phoneKey: text("phone_key"),
    companyName: text("company_name"),
    businessAddress: text("business_address"),
    abn: text(),
    insuranceDetails: text("insurance_details"),
    serviceAreas: text("service_areas"),
    licenseNumber: text("license_number"),
    /** The business's text message templates. Null until the business changes ours. */
    textTemplates: text("text_templates", { mode: "json" }).$type<TextTemplate[]>(),
    watchedRegions: text("watched_regions", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Services that the business offers; empty means all. They filter views, but do not restrict buying. */
    services: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** The Stripe Customer with this business's cards. Created with the first card that the business saves. */
    stripeCustomerId: text("stripe_customer_id"),
    /**
     * When the business first paid with a card. A business can only save a card that it has paid with. Only triggers on
     * `payments` write it (migration 0002).
     */
    payingSince: integer("paying_since"),
    /** When Stripe was last queried for cards that expire soon. */
    cardsCheckedAt: integer("cards_checked_at"),
    /**
     * When the owner removed a team member. The member cannot sign in and is not listed. Their past work still shows
     * their name.
     */
    removedAt: integer("removed_at"),
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
    isVerified: integer("is_verified", { mode: "boolean" }).notNull().default(false),
    isSuperAdmin: integer("is_super_admin", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("users_username").on(sql`lower(username)`),
    uniqueIndex("users_email").on(sql`lower(email)`),
    // For erasing a person with an unconfirmed address. Very few accounts have one: without the condition, SQLite with
    // statistics reads all accounts instead.
    index("users_pending_email")
      .on(sql`lower(pending_email)`)
      .where(sql`pending_email IS NOT NULL`),
    index("users_team").on(table.teamOwnerId),
    // Finds the provider behind a customer's number.
    index("users_phone")
      .on(table.phoneKey)
      .where(sql`phone_key IS NOT NULL`),
    index("users_type").on(table.userType, table.createdAt, table.id),
    // Finds the accounts with the oldest card check. Most accounts have no saved card.
    index("users_cards")
      .on(table.cardsCheckedAt)
      .where(sql`stripe_customer_id IS NOT NULL`),
    // Recipients of admin alerts, and the list of admins: a few among thousands of accounts.
    index("users_super_admins")
      .on(table.createdAt, table.id)
      .where(sql`is_super_admin = 1`),
    check("users_team_member_has_owner", sql`(user_type = 'team_member') = (team_owner_id IS NOT NULL)`),
    check("users_email_not_empty", sql`email <> ''`),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    /** SHA-256 of the cookie's token; the token itself is not stored. */
    tokenHash: text("token_hash").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The super admin who is impersonating the user. */
    impersonatorId: text("impersonator_id"),
    userAgent: text("user_agent"),
    createdAt: integer("created_at").notNull(),
    /** When the user signed in. For an impersonation, when its admin signed in. Null means `createdAt`. */
    signedInAt: integer("signed_in_at"),
    /** When the user last proved their identity after signing in. */
    confirmedAt: integer("confirmed_at"),
    /** When the user verified with a passkey or a recovery code. Null if the user has entered only a password. */
    secondFactorAt: integer("second_factor_at"),
    lastSeenAt: integer("last_seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("sessions_token").on(table.tokenHash),
    index("sessions_user").on(table.userId),
    // Finds an admin's impersonation sessions when the admin's own sessions end.
    index("sessions_impersonator")
      .on(table.impersonatorId)
      .where(sql`impersonator_id IS NOT NULL`),
    index("sessions_expiry").on(table.expiresAt),
  ],
);

/** Sign-ins with time, method and device, for the account's own list. Stores neither IP addresses nor locations. */
export const signIns = sqliteTable(
  "sign_ins",
  {
    id: integer().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    at: integer().notNull(),
    /** No CHECK, so that methods can change without rebuilding the table. */
    method: text().$type<SignInMethod>().notNull(),
    succeeded: integer({ mode: "boolean" }).notNull(),
    /** Browser and system in words, e.g. "Safari on iPhone". */
    device: text().notNull(),
    /** Keyed hash of the network, for a sign-in that succeeded. */
    networkKey: text("network_key"),
  },
  (table) => [
    index("sign_ins_user").on(table.userId, table.at),
    // For the sweep.
    index("sign_ins_at").on(table.at),
    // Finds the provider behind a customer's network.
    index("sign_ins_network")
      .on(table.networkKey)
      .where(sql`network_key IS NOT NULL`),
  ],
);

/**
 * Places where a session may have open sockets. The Worker writes a row before it opens a socket, so that it can close
 * all sockets when the session ends. A trigger on `sessions` (migration 0002) marks the rows when the session ends for
 * any reason. The Worker deletes them once the exchange or room has closed the sockets.
 */
export const liveSockets = sqliteTable(
  "live_sockets",
  {
    /** No foreign key, because the row outlives its session. */
    sessionId: text("session_id").notNull(),
    /** `region:<slug>` or `room:<business>`. */
    place: text().$type<Place>().notNull(),
    ended: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.place] }),
    // Rows whose sockets must still be closed, rarely more than a few.
    index("live_sockets_to_close")
      .on(table.place)
      .where(sql`ended`),
  ],
);

/** Passkeys. Only the public half is stored here. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The authenticator's own id for the key, base64url. */
    credentialId: text("credential_id").notNull(),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** The authenticator's signature count; 0 for authenticators without a counter. */
    counter: integer().notNull(),
    /** WebAuthn transports, e.g. "internal", "usb". */
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether a password manager syncs the passkey, so that it survives a lost device. */
    isSynced: integer("is_synced", { mode: "boolean" }).notNull(),
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId, table.createdAt),
  ],
);

/**
 * SQL: the mailbox of an address: without its plus suffix, and at Gmail without dots. Other recipients stay as they are.
 * Indexes use this exact expression.
 * @param address in lower case
 */
export function mailboxOf(address: SQL): SQL {
  const user = sql`substr(${address}, 1, min(instr(${address} || '+', '+'), instr(${address}, '@')) - 1)`;
  const domain = sql`substr(${address}, instr(${address}, '@'))`;
  return sql`(CASE WHEN ${domain} IN ('@gmail.com', '@googlemail.com') THEN replace(${user}, '.', '') || '@gmail.com' ELSE ${user} || ${domain} END)`;
}

/** Purpose of a one-time secret: a link in an email, a recovery code or a challenge. */
export type SecretPurpose = "password" | "email" | "request_list" | "recovery_code" | ChallengePurpose;

/**
 * One-time secrets: links in emails, recovery codes of users who have lost their passkeys, and challenges that a browser
 * must answer. Used rows are kept for an hour, because they limit the emails to an account and to a mailbox.
 */
export const oneTimeSecrets = sqliteTable(
  "one_time_secrets",
  {
    /** Stays when an email gets a new secret. */
    id: text().primaryKey(),
    /**
     * SHA-256 of the secret; the secret itself is not stored. A recovery code's hash includes its account. A challenge
     * has the id of its session, or the hash of a cookie if the visitor is not signed in.
     */
    hash: text().notNull(),
    /** No CHECK, so that purposes can change without rebuilding the table. */
    purpose: text().$type<SecretPurpose>().notNull(),
    /** Null for a link to a list of requests, and for a challenge without a user who entered the right password. */
    userId: text("user_id").references(() => users.id),
    /** In lower case. An email link confirms this address. A list link shows its requests. */
    email: text(),
    /** The owner or admin who issued a password link, or the random bytes for a passkey to sign (base64url). */
    data: text(),
    /** Failed and open tries at a challenge. */
    tries: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** When the row is deleted. A used secret is deleted within an hour. */
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [
    uniqueIndex("one_time_secrets_hash").on(table.hash, table.purpose),
    index("one_time_secrets_user")
      .on(table.userId, table.purpose, table.createdAt)
      .where(sql`user_id IS NOT NULL`),
    // Finds the mailboxes we have just emailed: jo+1@ and jo+2@ share one. Also for erasing a person.
    index("one_time_secrets_mailbox")
      .on(mailboxOf(sql`email`), table.createdAt)
      .where(sql`email IS NOT NULL`),
    // For the sweep.
    index("one_time_secrets_expiry").on(table.expiresAt),
  ],
);

/**
 * Wrong passwords in a row, counted to slow down guessing. A row is deleted by a correct password, or a day after its
 * last failure.
 */
export const signInFailures = sqliteTable(
  "sign_in_failures",
  {
    /** Keyed hash of an account, or of a name without one. */
    accountKey: text("account_key").primaryKey(),
    failures: integer().notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [index("sign_in_failures_age").on(table.lastAt)],
);

export const bankDetails = sqliteTable(
  "bank_details",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id),
    /** AES-GCM over the four fields as JSON, base64. `keyId` names the key. */
    ciphertext: text().notNull(),
    keyId: text("key_id").notNull(),
    /** Keyed hash of BSB and account number, which finds other businesses with this account; null without both. */
    accountHash: text("account_hash"),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("bank_details_account")
      .on(table.accountHash)
      .where(sql`account_hash IS NOT NULL`),
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
    /**
     * The sold lead of the same request whose buyer did not call. At most one lead is rescued from another.
     */
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

/**
 * A customer's changes and responses after a sale, for the buyer. Rows with a pending kind have an id that begins with
 * `pending_`, and are acts that the sweep has yet to finish.
 */
export const customerUpdates = sqliteTable(
  "customer_updates",
  {
    id: text().primaryKey(),
    leadId: text("lead_id")
      .notNull()
      .references(() => leads.id),
    /** No CHECK, so that kinds can change without rebuilding the table. */
    kind: text().$type<CustomerUpdateKind | PendingUpdateKind>().notNull(),
    /** The changed fields with their values before and after; empty for other kinds. */
    changes: text({ mode: "json" }).$type<CustomerChange[]>().notNull().default([]),
    at: integer().notNull(),
  },
  (table) => [index("customer_updates_lead").on(table.leadId, table.at)],
);

/** Offers of a rescued lead to the businesses whose earlier claims were refused. */
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

export const leadPurchases = sqliteTable(
  "lead_purchases",
  {
    /** The exchange creates the id, so that writing a sale twice is harmless. */
    id: text().primaryKey(),
    leadId: text("lead_id")
      .notNull()
      .references(() => leads.id),
    /** The business: its owner's user id. Every tenant query filters by it. */
    buyerId: text("buyer_id")
      .notNull()
      .references(() => users.id),
    /** The user who bought it: the owner, or an admin who assigned it. */
    boughtByUserId: text("bought_by_user_id").notNull(),
    buyerName: text("buyer_name").notNull(),
    buyerEmail: text("buyer_email"),
    buyerPhone: text("buyer_phone"),
    buyerCompany: text("buyer_company"),
    mode: text({ enum: PURCHASE_MODES }).notNull(),
    amountPaidCents: integer("amount_paid_cents").notNull(),
    paymentStatus: text("payment_status", { enum: PAYMENT_STATUSES }).notNull().default("pending"),
    /** The payment for the purchase; null when no card was charged. */
    paymentIntentId: text("payment_intent_id"),
    purchasedAt: integer("purchased_at").notNull(),
    /** Read it with `parseStage`: an unknown value becomes accepted_lead. */
    salesStage: text("sales_stage").notNull().default("accepted_lead"),
    salesNotes: text("sales_notes"),
    notesVersion: integer("notes_version").notNull().default(0),
    customerPaymentAmountCents: integer("customer_payment_amount_cents"),
    /** The author of the notes, and the time. */
    notesByUserId: text("notes_by_user_id"),
    notesAt: integer("notes_at"),
    nextActionAt: integer("next_action_at"),
    nextActionNote: text("next_action_note"),
    /** The team member responsible for the purchase. */
    assignedToUserId: text("assigned_to_user_id"),
    /**
     * The business's corrections to the customer's details. A missing key means the request's own value. An empty value
     * means that the customer has none. All are in one column, because a purchase with its lead must stay below D1's
     * limit of 100 columns per result.
     */
    corrected: text({ mode: "json" }).$type<Partial<Record<CorrectedDetail, string>>>(),
    /** Idempotency keys of the latest changes, newest first. A window resends a change if it gets no response. */
    changeKeys: text("change_keys").notNull().default(""),
    /* When each stage was first reached. */
    calledAt: integer("called_at"),
    quoteSentAt: integer("quote_sent_at"),
    jobBookedAt: integer("job_booked_at"),
    jobCompleteAt: integer("job_complete_at"),
    invoiceSentAt: integer("invoice_sent_at"),
    invoicePaidAt: integer("invoice_paid_at"),
    declinedAt: integer("declined_at"),
    finalisedAt: integer("finalised_at"),
    isArchived: integer("is_archived", { mode: "boolean" }).notNull().default(false),
    archivedAt: integer("archived_at"),
    /** Soft delete: set when an owner removes a manual lead, or an admin removes a bought lead. */
    removedAt: integer("removed_at"),
    /** The user who removed the purchase. Only that user can undo it. */
    removedByUserId: text("removed_by_user_id"),
    /** When the call clock runs out; null for a lead without one, such as a manual lead. */
    clockEndsAt: integer("clock_ends_at"),
    /** When the sweep next has something to do for the call clock; null once it is over. */
    clockDueAt: integer("clock_due_at"),
    /** Events since the sale; null until there is one (contract/call-clock.ts). */
    callClock: text("call_clock", { mode: "json" }).$type<CallClock>(),
    /** When the customer is to be asked for a review; null once they were asked, or if they never are. */
    reviewDueAt: integer("review_due_at"),
    /** Unsuccessful calls in a row, and the time of the last attempt or conversation. */
    tries: integer().notNull().default(0),
    lastContactAt: integer("last_contact_at"),
    /** When the business last spoke to the customer or texted them, by its own word. */
    reachedAt: integer("reached_at"),
    /** When the customer last replied to a text message, and the time of the last reply that the business read. */
    answeredAt: integer("answered_at"),
    answersSeenAt: integer("answers_seen_at"),
    /**
     * The stored stage while the purchase is open, else `final`. Generated, so that one index covers all tiles. An
     * unknown stage is shown as accepted_lead (pipeline/routes.ts).
     */
    tile: text().generatedAlwaysAs(
      // No list of stages, because changing it would require rebuilding the table.
      sql`CASE WHEN is_archived OR finalised_at IS NOT NULL THEN 'final' ELSE sales_stage END`,
      { mode: "virtual" },
    ),
    /** Sort key for the next action. Purchases without one come last. */
    nextActionOrder: integer("next_action_order").generatedAlwaysAs(
      sql.raw(`coalesce(next_action_at, ${MAX_DATE_MS})`),
      { mode: "virtual" },
    ),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    // The last line of defence for "one lead, one buyer".
    uniqueIndex("lead_purchases_live_lead")
      .on(table.leadId)
      .where(sql`removed_at IS NULL`),
    // For erasing the lead's customer. Includes removed purchases.
    index("lead_purchases_lead").on(table.leadId),
    // Purchases traded on a day, for the market's figures and the nightly reconciliation.
    index("lead_purchases_traded")
      .on(table.purchasedAt)
      .where(sql`mode <> 'manual'`),
    index("lead_purchases_business")
      .on(table.buyerId, table.purchasedAt, table.id)
      .where(sql`removed_at IS NULL`),
    index("lead_purchases_tile")
      .on(table.buyerId, table.tile, table.purchasedAt, table.id)
      .where(sql`removed_at IS NULL`),
    // Finds the purchase for a later Stripe event about its payment.
    uniqueIndex("lead_purchases_payment")
      .on(table.paymentIntentId)
      .where(sql`payment_intent_id IS NOT NULL`),
    // Changes that a window missed while offline. Includes removed purchases, so that the window removes them.
    index("lead_purchases_changed").on(table.buyerId, table.updatedAt, table.id),
    index("lead_purchases_clock")
      .on(table.clockDueAt)
      .where(sql`clock_due_at IS NOT NULL`),
    index("lead_purchases_review")
      .on(table.reviewDueAt)
      .where(sql`review_due_at IS NOT NULL`),
    // Earliest next action first, no date last.
    index("lead_purchases_next_action")
      .on(table.buyerId, table.nextActionOrder, table.id)
      .where(sql`removed_at IS NULL`),
    check("lead_purchases_paid_in_range", sql`amount_paid_cents BETWEEN 0 AND 9999999999`),
    check(
      "lead_purchases_customer_paid_in_range",
      sql`customer_payment_amount_cents IS NULL OR customer_payment_amount_cents BETWEEN 0 AND 9999999999`,
    ),
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

export const stageChanges = sqliteTable(
  "stage_changes",
  {
    id: integer().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    fromStage: text("from_stage"),
    toStage: text("to_stage").notNull(),
    changedByUserId: text("changed_by_user_id").notNull(),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [
    index("stage_changes_purchase").on(table.purchaseId, table.changedAt),
    // The first entry is written with the purchase. A replayed sale must not write it again.
    uniqueIndex("stage_changes_first")
      .on(table.purchaseId)
      .where(sql`from_stage IS NULL`),
  ],
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

/**
 * Calls and text messages about a purchase, as the business reports them. Figures do not use it: they count the
 * purchase's own stage and times.
 */
export const contactLog = sqliteTable(
  "contact_log",
  {
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    /** No CHECK, so that outcomes can change without rebuilding the table. */
    outcome: text().$type<ContactOutcome>().notNull(),
    byUserId: text("by_user_id").notNull(),
    /** When it happened. An offline phone reports it later. */
    at: integer().notNull(),
    /** Idempotency key, created by the window for each entry. */
    entryKey: text("entry_key").notNull(),
    /** When the server received it, which no phone can backdate. */
    loggedAt: integer("logged_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.purchaseId, table.entryKey] })],
);

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

/** A provider's report that a bought lead is a bad lead, and the admin's decision. It moves no money. */
export const badLeadReports = sqliteTable(
  "bad_lead_reports",
  {
    id: text().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    leadId: text("lead_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    reason: text({ enum: BAD_LEAD_REASONS }).notNull(),
    note: text(),
    state: text({ enum: BAD_LEAD_STATES }).notNull().default("open"),
    answer: text(),
    decidedAt: integer("decided_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("bad_lead_reports_purchase").on(table.purchaseId),
    index("bad_lead_reports_state").on(table.state, table.createdAt, table.id),
    index("bad_lead_reports_business").on(table.buyerId, table.createdAt),
    // Finds a day's bad-lead reports for the market figures.
    index("bad_lead_reports_created").on(table.createdAt),
  ],
);

/**
 * A decision under the guarantee about a bought lead: which rule applied, and what followed. One for each purchase. It
 * moves no money.
 */
export const guaranteeCases = sqliteTable(
  "guarantee_cases",
  {
    purchaseId: text("purchase_id")
      .primaryKey()
      .references(() => leadPurchases.id),
    leadId: text("lead_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    rule: text().$type<GuaranteeRule>().notNull(),
    state: text().$type<GuaranteeState>().notNull(),
    /** When the sweep next acts, such as at the end of the customer's time to answer; null if it has nothing to do. */
    dueAt: integer("due_at"),
    /** When the business contested the decision, and its reason. Possible once. */
    contestedAt: integer("contested_at"),
    contestNote: text("contest_note"),
    /** A person's decision after the cap or a contest, with the reason that the business sees. */
    answer: text(),
    decidedAt: integer("decided_at"),
    decidedByUserId: text("decided_by_user_id"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("guarantee_cases_due")
      .on(table.dueAt)
      .where(sql`due_at IS NOT NULL`),
    index("guarantee_cases_business").on(table.buyerId, table.createdAt),
    // The admins' list: cases that wait for a person.
    index("guarantee_cases_state").on(table.state, table.updatedAt, table.purchaseId),
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

/** A business's public page. */
export const providerProfiles = sqliteTable(
  "provider_profiles",
  {
    businessId: text("business_id")
      .primaryKey()
      .references(() => users.id),
    slug: text().notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull().default(false),
    words: text().notNull().default(""),
    /** Services on the page, as in contract/catalogue.ts. */
    /** Where the business is based. */
    suburbId: text("suburb_id").references(() => suburbs.id),
    /** When an admin took the page offline, and why. */
    hiddenAt: integer("hidden_at"),
    hiddenReason: text("hidden_reason"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("provider_profiles_slug").on(table.slug)],
);

/** Councils in which a business works, for its page and for the pages of their suburbs. */
export const profileCouncils = sqliteTable(
  "profile_councils",
  {
    businessId: text("business_id")
      .notNull()
      .references(() => users.id),
    council: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.businessId, table.council] }),
    index("profile_councils_council").on(table.council),
  ],
);

/** Proofs that a business showed: ABN, insurance, police check and licence. At most one of a kind is valid. */
export const providerChecks = sqliteTable(
  "provider_checks",
  {
    id: text().primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => users.id),
    kind: text().$type<CheckKind>().notNull(),
    state: text().$type<CheckState>().notNull(),
    /** Such as the ABN, policy number or licence number. */
    number: text(),
    /** Dates such as "2026-11-25": when an admin saw the proof, and the last day on which it is valid. */
    seenOn: text("seen_on"),
    endsOn: text("ends_on"),
    /** Key, type and size of the private file in the bucket; null without one. The size is null during the upload. */
    fileKey: text("file_key"),
    fileType: text("file_type"),
    fileBytes: integer("file_bytes"),
    /** Why an admin refused it. */
    reason: text(),
    decidedByUserId: text("decided_by_user_id"),
    decidedAt: integer("decided_at"),
    /** When the reminder before its end was sent. */
    remindedAt: integer("reminded_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("provider_checks_business").on(table.businessId, table.kind, table.createdAt),
    index("provider_checks_state").on(table.state, table.createdAt, table.id),
    // Finds the businesses with the same ABN.
    index("provider_checks_abn")
      .on(table.number)
      .where(sql`kind = 'abn' AND state = 'valid'`),
    // Valid checks that end soon.
    index("provider_checks_end")
      .on(table.state, table.endsOn)
      .where(sql`ends_on IS NOT NULL`),
    // Files that are no longer needed, or never arrived. Without the third column SQLite prefers the index above.
    index("provider_checks_file")
      .on(table.state, table.createdAt, table.fileKey)
      .where(sql`file_key IS NOT NULL`),
  ],
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

/** Regions that an operator paused. Requests wait as `pending`. */
export const pausedRegions = sqliteTable("paused_regions", {
  region: text({ enum: REGION_SLUGS }).primaryKey(),
  reason: text().notNull(),
  since: integer().notNull(),
});

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

/** Append-only: the actor, the action and its subject. Written in the same batch as the change. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    /** The user who acted; null for the system. */
    actorUserId: text("actor_user_id"),
    /** The impersonated user, if any. */
    asUserId: text("as_user_id"),
    action: text().notNull(),
    subjectType: text("subject_type").notNull(),
    subjectId: text("subject_id").notNull(),
    before: text({ mode: "json" }),
    after: text({ mode: "json" }),
    requestId: text("request_id"),
  },
  (table) => [
    index("audit_log_at").on(table.at),
    // The id's prefix gives the subject's type.
    index("audit_log_subject").on(table.subjectId, table.at),
    index("audit_log_action").on(table.action, table.at),
    index("audit_log_actor").on(table.actorUserId, table.at),
    index("audit_log_as")
      .on(table.asUserId, table.at)
      .where(sql`as_user_id IS NOT NULL`),
  ],
);

/** Problems with claims that the system could not fix by itself. Shown to super admins. */
export const attention = sqliteTable(
  "attention",
  {
    kind: text().notNull(),
    subjectId: text("subject_id").notNull(),
    detail: text().notNull(),
    since: integer().notNull(),
    resolvedAt: integer("resolved_at"),
    /** When the super admins got an email about it; null when they did not. */
    toldAt: integer("told_at"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subjectId] }),
    index("attention_open").on(table.resolvedAt, table.since),
  ],
);

/**
 * Admins' notes about a provider, for other admins. They may mention people, so they are deleted when the provider
 * is erased.
 */
export const providerNotes = sqliteTable(
  "provider_notes",
  {
    id: text().primaryKey(),
    providerId: text("provider_id")
      .notNull()
      .references(() => users.id),
    /** Kind of note. No CHECK, so that kinds can change without rebuilding the table. */
    kind: text().$type<ProviderNoteKind>().notNull(),
    text: text().notNull(),
    /** A second subject besides the provider, such as a payment. */
    subjectId: text("subject_id"),
    byUserId: text("by_user_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("provider_notes_provider").on(table.providerId, table.createdAt),
    // For erasing the customer of a mentioned lead.
    index("provider_notes_subject")
      .on(table.subjectId)
      .where(sql`subject_id IS NOT NULL`),
  ],
);

/**
 * Browsers in which a user allowed notifications. A device gets messages only while the session that added it is valid.
 */
export const pushDevices = sqliteTable(
  "push_devices",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /**
     * No foreign key, because the row may outlive its session. Then it is inactive until the user turns it on again.
     */
    sessionId: text("session_id").notNull(),
    /** The push service's URL for this device. The client sends it, so we call only known services. */
    endpoint: text().notNull(),
    /** The browser's public key and secret for end-to-end encryption (RFC 8291), base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** The site's origin on that device, e.g. "https://naturestrip.example". A click opens it. */
    origin: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("push_devices_endpoint").on(table.endpoint),
    index("push_devices_user").on(table.userId, table.createdAt),
  ],
);

/**
 * A user's alert settings. A missing row or a null means the default: `DEFAULT_QUIET_HOURS`, all leads,
 * `DEFAULT_TEAM_ALERTS`.
 */
export const alertSettings = sqliteTable("alert_settings", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  quietHours: text("quiet_hours", { mode: "json" }).$type<QuietHours>(),
  /** Regions, services and urgencies with alerts; null for all. */
  regions: text({ mode: "json" }).$type<string[]>(),
  services: text({ mode: "json" }).$type<string[]>(),
  urgencies: text({ mode: "json" }).$type<string[]>(),
  /** The smallest lawn with alerts; null for any. */
  leastSize: text("least_size"),
  /** End of the user's pause from new-lead alerts; null when not paused. */
  pausedUntil: integer("paused_until"),
  /** The owner's settings for a team member. */
  team: text({ mode: "json" }).$type<TeamAlerts>(),
});

/**
 * The outbox. A message is written in the batch of the change that causes it, and sent afterwards. The Worker retries
 * it until a service accepts it or it expires. The Worker builds text and links when it sends, so no row contains
 * personal text or a one-time secret.
 */
export const messages = sqliteTable(
  "messages",
  {
    id: text().primaryKey(),
    /** A second message with the same key is not written. */
    dedupeKey: text("dedupe_key").notNull(),
    /** Channel and template have no CHECK, so that they can change without rebuilding the table. */
    channel: text().$type<MessageChannel>().notNull(),
    /** A name in messages/registry.ts. */
    template: text().notNull(),
    /** The device, the email address in lower case or the number in E.164. Null for a `spread` message. */
    recipient: text(),
    /** The recipient's account, for erasure. */
    userId: text("user_id"),
    /** Id of the lead or inspection booking, for erasing its customer. */
    leadId: text("lead_id"),
    /** Ids and times only. */
    payload: text({ mode: "json" }).$type<MessagePayload>().notNull(),
    /** When the message is due. While leased, when the lease expires. */
    due: integer().notNull(),
    /** After this time the message is not sent. */
    expiresAt: integer("expires_at").notNull(),
    state: text().$type<MessageState>().notNull().default("waiting"),
    attempts: integer().notNull().default(0),
    /** When a worker last leased the message. The limits per day count it. */
    triedAt: integer("tried_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("messages_dedupe").on(table.dedupeKey),
    index("messages_due")
      .on(table.due, table.id)
      .where(sql`state = 'waiting'`),
    // Finds the last message of a template to a device or an address.
    index("messages_recipient").on(table.recipient, table.template, table.createdAt),
    // Counts the day's emails to a mailbox.
    index("messages_mailbox")
      .on(mailboxOf(sql`recipient`), table.createdAt)
      .where(sql`channel <> 'push'`),
    // For erasing the person.
    index("messages_user")
      .on(table.userId)
      .where(sql`user_id IS NOT NULL`),
    index("messages_lead")
      .on(table.leadId)
      .where(sql`lead_id IS NOT NULL`),
    // Recent emails and texts, and their outcome. Omits push messages: they are most rows, and no query reads them here.
    index("messages_tried")
      .on(table.channel, table.triedAt)
      .where(sql`tried_at IS NOT NULL AND channel <> 'push'`),
    // For the sweep: finished messages that may be deleted.
    index("messages_over")
      .on(table.createdAt, table.id)
      .where(sql`state <> 'waiting'`),
    // The admins' list of messages that they may send again.
    index("messages_failed")
      .on(table.createdAt, table.id)
      .where(sql`state IN ('failed', 'bounced')`),
  ],
);

/** A channel's settings. Without a row, a channel is on, except texts. */
export const messageChannels = sqliteTable("message_channels", {
  channel: text().$type<Exclude<MessageChannel, "spread">>().primaryKey(),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  /** Maximum messages a day; null for the default. For emails, counts only those that visitors trigger. */
  mostADay: integer("most_a_day"),
});

/** Recipients who have opted out of text messages, or of emails about requests. */
export const messageStops = sqliteTable("message_stops", {
  /** Hash of the channel and the number or address. */
  recipientHash: text("recipient_hash").primaryKey(),
  since: integer().notNull(),
});

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

export const OPERATOR_JOB_STATES = ["waiting", "done", "failed"] as const;

/**
 * Jobs that an operator enqueues for the Worker, because only the Worker can access the exchanges and the secrets. The
 * operator inserts rows with `wrangler d1 execute`, and the cron runs them. Anyone with write access to D1 already
 * controls everything, so no route or token is needed. docs/decisions has the reasons.
 */
export const operatorJobs = sqliteTable(
  "operator_jobs",
  {
    id: text().primaryKey(),
    /** No CHECK, so that kinds can change without rebuilding the table. */
    kind: text().notNull(),
    /** The job's input. It may contain personal data, so it is cleared when the job ends. */
    input: text({ mode: "json" }),
    state: text({ enum: OPERATOR_JOB_STATES }).notNull().default("waiting"),
    /** Where a long job resumes. No personal data. */
    progress: text({ mode: "json" }),
    /** Counts and reasons for the operator. No personal data. */
    result: text({ mode: "json" }),
    /** One run leases the job until this time. */
    leasedUntil: integer("leased_until").notNull().default(0),
    attempts: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("operator_jobs_state").on(table.state, table.createdAt)],
);

/**
 * Always empty. A batch inserts a row that violates the CHECK when its condition does not hold, so the whole batch
 * rolls back. See guarded-batch.ts.
 */
export const mustHold = sqliteTable("must_hold", { ok: integer().notNull() }, () => [
  check("must_hold", sql`ok = 1`),
]);
