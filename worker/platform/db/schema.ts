/**
 * The whole model in one read. Owners of the facts: D1 owns requests, people, purchases and their
 * pipeline; availability belongs to the region's exchange and `leads.status` only mirrors it
 * (`exchange_version` orders the mirror's writes); money belongs to Stripe and `payments` is our ledger.
 *
 * Money is integer cents, time is epoch milliseconds, ids are prefixed text. No list of values is a CHECK:
 * the contract's schemas and these types guard what is written, and `npm run check:data` names what no
 * list knows (docs/decisions/0008).
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

import { type SignInMethod, USER_TYPES } from "../../../contract/auth.ts";
import type { ContactOutcome } from "../../../contract/contacts.ts";
import { DUD_REASONS, DUD_STATES } from "../../../contract/duds.ts";
import {
  ACCESS_KINDS,
  BUDGET_CONCERNS,
  FREQUENCIES,
  GRASS_TYPES,
  LAWN_CONDITIONS,
  LEAD_SOURCES,
  LEAD_STATUSES,
  LISTING_STATES,
  PREFERRED_TIMES,
  PREVIOUS_EXPERIENCES,
  PROPERTY_SIZES,
  PROPERTY_TYPES,
  URGENCIES,
} from "../../../contract/leads.ts";
import type { ChallengePurpose } from "../../../contract/passkeys.ts";
import { PAYMENT_STATES } from "../../../contract/payments.ts";
import type { ProviderNoteKind } from "../../../contract/providers.ts";
import type { CorrectedDetail } from "../../../contract/corrections.ts";
import { PAYMENT_STATUSES, PURCHASE_MODES } from "../../../contract/purchases.ts";
import { NO_DATE } from "../../../contract/pipeline.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import type { TextTemplate } from "../../../contract/text-templates.ts";
import type { MessageChannel, MessagePayload, MessageState, MessageTemplate } from "./message-types.ts";

/** An object that holds sockets: a region's exchange or a business's room. */
export type Place = `region:${string}` | `room:${string}`;

export const suburbs = sqliteTable(
  "suburbs",
  {
    id: text().primaryKey(),
    /** `name`, or `name-postcode` where several suburbs share a name. */
    slug: text().notNull(),
    name: text().notNull(),
    postcode: text().notNull(),
    council: text().notNull(),
    state: text().notNull().default("NSW"),
    region: text({ enum: REGION_SLUGS }).notNull(),
    sa4: text().notNull(),
    latitude: real().notNull(),
    longitude: real().notNull(),
    population: integer().notNull().default(0),
    /** Slugs of the places around it, nearest first, as JSON; worked out from the whole list when it is loaded. */
    near: text().notNull().default("[]"),
    /** How many facts of its own the reference knows: `contract/suburb-facts.ts`. */
    referenceFacts: integer("reference_facts").notNull().default(0),
    /* From here on an operator's: loads never write these. */
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
    index("suburbs_name").on(sql`name COLLATE NOCASE`, table.population),
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
    /** An address its person has yet to confirm: nobody signs in or is found by it, and several may wait for one. */
    pendingEmail: text("pending_email"),
    passwordHash: text("password_hash").notNull(),
    mustChangePassword: integer("must_change_password", { mode: "boolean" }).notNull().default(false),
    userType: text("user_type", { enum: USER_TYPES }).notNull(),
    /** The provider whose pipeline a team member works on. */
    teamOwnerId: text("team_owner_id"),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    phone: text(),
    companyName: text("company_name"),
    businessAddress: text("business_address"),
    abn: text(),
    insuranceDetails: text("insurance_details"),
    serviceAreas: text("service_areas"),
    licenseNumber: text("license_number"),
    /** The business's text messages, by name and words; null until somebody changes ours. */
    textTemplates: text("text_templates", { mode: "json" }).$type<TextTemplate[]>(),
    watchedRegions: text("watched_regions", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Services the business works in; empty means all. Filters views, never the right to buy. */
    services: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** Stripe's Customer that keeps this business's cards; made with the first card they consent to keep. */
    stripeCustomerId: text("stripe_customer_id"),
    /** When Stripe was last asked which of those cards expire soon. */
    cardsCheckedAt: integer("cards_checked_at"),
    /** A team member their owner removed: cannot sign in, is not listed, what they did keeps their name. */
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
    // When the person behind an address is erased that was never confirmed. Hardly anybody has one: without
    // its condition, SQLite with statistics reads all accounts instead.
    index("users_pending_email")
      .on(sql`lower(pending_email)`)
      .where(sql`pending_email IS NOT NULL`),
    index("users_team").on(table.teamOwnerId),
    index("users_type").on(table.userType, table.createdAt, table.id),
    // Whose cards have not been looked at for longest; most accounts keep none.
    index("users_cards")
      .on(table.cardsCheckedAt)
      .where(sql`stripe_customer_id IS NOT NULL`),
    // Whom a thing that needs a person is told, and the admins' list of themselves: of thousands, a handful.
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
    /** SHA-256 of the cookie's token; the token itself is stored nowhere. */
    tokenHash: text("token_hash").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The super admin behind an impersonated session. */
    impersonatorId: text("impersonator_id"),
    userAgent: text("user_agent"),
    /** Unused since `live_sockets`; a later release drops it. */
    liveRegions: text("live_regions", { mode: "json" }).$type<string[]>().notNull().default([]),
    createdAt: integer("created_at").notNull(),
    /** When the person at the keyboard signed in; an impersonation has its admin's. Null: with `createdAt`. */
    signedInAt: integer("signed_in_at"),
    /** When they last proved who they are besides signing in. */
    confirmedAt: integer("confirmed_at"),
    /** When a passkey or a recovery code was given; null while only a password was. */
    secondFactorAt: integer("second_factor_at"),
    lastSeenAt: integer("last_seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("sessions_token").on(table.tokenHash),
    index("sessions_user").on(table.userId),
    // Sessions in which an admin looks through somebody's eyes, when the admin's own end.
    index("sessions_impersonator")
      .on(table.impersonatorId)
      .where(sql`impersonator_id IS NOT NULL`),
    index("sessions_expiry").on(table.expiresAt),
  ],
);

/** Who signed in when, how and with what, for the account's own list. Neither addresses nor places are kept. */
export const signIns = sqliteTable(
  "sign_ins",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    at: integer().notNull(),
    /** Not checked by the table, so that ways may come and go without rebuilding it. */
    method: text().$type<SignInMethod>().notNull(),
    succeeded: integer({ mode: "boolean" }).notNull(),
    /** Browser and system in words, e.g. "Safari on iPhone". */
    device: text().notNull(),
  },
  (table) => [
    index("sign_ins_user").on(table.userId, table.at),
    // The sweep.
    index("sign_ins_at").on(table.at),
  ],
);

/**
 * Where a session may have sockets open: written before each is opened, so that the session's end finds
 * them all. A trigger on `sessions` (migration close-every-socket) marks its rows the moment it ends, whoever ends it;
 * they go when their place has closed the sockets.
 */
export const liveSockets = sqliteTable(
  "live_sockets",
  {
    /** No reference: the row outlives its session. */
    sessionId: text("session_id").notNull(),
    /** `region:<slug>` or `room:<business>`. */
    place: text().$type<Place>().notNull(),
    ended: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.place] }),
    // What is to be closed: hardly ever more than a few rows.
    index("live_sockets_to_close")
      .on(table.place)
      .where(sql`ended`),
  ],
);

/** Keys on people's devices with which they sign in. Only the public half is here. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The authenticator's own id of the key, base64url. */
    credentialId: text("credential_id").notNull(),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** Of signatures made, by authenticators that count; 0 for those that do not. */
    counter: integer().notNull(),
    /** How the browser reaches it, e.g. "internal", "usb". */
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Kept by a password manager, so that a lost device does not lose it. */
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

/** Codes for whoever has lost their passkeys. They go when they are used. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    /** SHA-256 over the account and the code, which is stored nowhere. */
    hash: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("recovery_codes_user").on(table.userId)],
);

/** What a browser has to prove next, with a passkey or otherwise. */
export const challenges = sqliteTable(
  "challenges",
  {
    /** Whose it is: a session's id, or the hash of a cookie while nobody is signed in. */
    holder: text().notNull(),
    /** Not checked by the table, so that purposes may come and go without rebuilding it. */
    purpose: text().$type<ChallengePurpose>().notNull(),
    /** Random, base64url, for a passkey to sign; null while none was asked for. */
    challenge: text(),
    /** Whose password was right, for the second step of a sign-in. */
    userId: text("user_id").references(() => users.id),
    tries: integer().notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.holder, table.purpose] }),
    index("challenges_expiry").on(table.expiresAt),
    // When the account behind it is erased.
    index("challenges_user")
      .on(table.userId)
      .where(sql`user_id IS NOT NULL`),
  ],
);

/** One-time links with which a person sets a new password. */
export const passwordLinks = sqliteTable(
  "password_links",
  {
    id: text().primaryKey(),
    /** SHA-256 of the link's token; the token itself is stored nowhere. */
    tokenHash: text("token_hash").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The owner or admin who issued it; null when the person asked by email. */
    issuedByUserId: text("issued_by_user_id"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [
    uniqueIndex("password_links_token").on(table.tokenHash),
    index("password_links_user").on(table.userId, table.createdAt),
    // The sweep: what no longer works.
    index("password_links_expiry").on(table.expiresAt),
    index("password_links_used")
      .on(table.usedAt)
      .where(sql`used_at IS NOT NULL`),
  ],
);

/** The mail box of an address of `email_links`: what stands behind a plus names no other. Indexed in these words. */
export const mailBox = sql`(substr(email, 1, min(instr(email || '+', '+'), instr(email, '@')) - 1) || substr(email, instr(email, '@')))`;

/**
 * One-time links with which a person confirms an address. A row stands for an email to that address, also
 * where its owner was told instead: by it nobody's mail box is filled.
 */
export const emailLinks = sqliteTable(
  "email_links",
  {
    id: text().primaryKey(),
    /** SHA-256 of the link's token; the token itself is stored nowhere. */
    tokenHash: text("token_hash").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** In lower case, as forms store it. */
    email: text().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [
    uniqueIndex("email_links_token").on(table.tokenHash),
    index("email_links_user").on(table.userId, table.createdAt),
    // Whom we have just written to: jo+1@ and jo+2@ are one mail box.
    index("email_links_mailbox").on(mailBox, table.createdAt),
    // The sweep: what no longer works.
    index("email_links_expiry").on(table.expiresAt),
    index("email_links_used")
      .on(table.usedAt)
      .where(sql`used_at IS NOT NULL`),
  ],
);

/** Wrong passwords, counted so that guessing slows down. A row goes a day after its last failure. */
export const signInFailures = sqliteTable(
  "sign_in_failures",
  {
    /** Keyed hash of what is counted: an account at a place, an account, a network. It names nobody. */
    counterKey: text("counter_key").primaryKey(),
    /** A try counts when it is let through, and is taken back when the password was right. */
    failures: integer().notNull(),
    lastAt: integer("last_at").notNull(),
    /** When the account's person was told by email; once for as long as the row lasts. */
    toldAt: integer("told_at"),
  },
  (table) => [index("sign_in_failures_age").on(table.lastAt)],
);

/** Networks from which somebody signed in lately: strangers' tries do not hold them up there. */
export const knownNetworks = sqliteTable(
  "known_networks",
  {
    userId: text("user_id").notNull(),
    /** Keyed hash of the network, another one for each person and each password of theirs. */
    networkKey: text("network_key").notNull(),
    seenAt: integer("seen_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.networkKey] }),
    index("known_networks_age").on(table.seenAt),
  ],
);

export const bankDetails = sqliteTable("bank_details", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  /** AES-GCM over the four fields as JSON, base64; which key, by id. */
  ciphertext: text().notNull(),
  keyId: text("key_id").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const bookings = sqliteTable(
  "bookings",
  {
    id: text().primaryKey(),
    submissionId: text("submission_id"),
    /** An inspection's, which its visitor can read out; garden work has its lead's. */
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
    /** The lead a garden booking became. */
    leadId: text("lead_id"),
    consentWording: text("consent_wording"),
    /** When an admin dealt with an inspection booking, and who. */
    handledAt: integer("handled_at"),
    handledByUserId: text("handled_by_user_id"),
    /** As a lead's: by them its person is found again, however they were typed. */
    phoneKey: text("phone_key"),
    otherPhoneKey: text("other_phone_key"),
    emailKey: text("email_key"),
    /** Set when the person behind it was erased. */
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
    // The sweep: what was stored before it had keys.
    index("bookings_without_keys")
      .on(table.id)
      .where(sql`other_phone_key IS NULL AND erased_at IS NULL`),
    index("bookings_created").on(table.createdAt, table.id),
    // Without those that have none: SQLite would look up "no lead" here, and find every inspection there was.
    index("bookings_lead")
      .on(table.leadId)
      .where(sql`lead_id IS NOT NULL`),
    // Inspections that still name a person: the admins' list, and the retention job.
    index("bookings_inspections")
      .on(table.createdAt, table.id)
      .where(sql`lead_id IS NULL AND erased_at IS NULL`),
    // Those nobody has dealt with.
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
    /** What its visitor can read out; null for a provider's own. */
    reference: text(),
    source: text({ enum: LEAD_SOURCES }).notNull(),
    customerId: text("customer_id").references(() => users.id),
    customerName: text("customer_name").notNull(),
    customerPhone: text("customer_phone").notNull(),
    customerEmail: text("customer_email"),
    customerAddress: text("customer_address").notNull(),
    serviceType: text("service_type", { mode: "json" }).$type<string[]>().notNull(),
    propertyType: text("property_type", { enum: PROPERTY_TYPES }).notNull(),
    propertySize: text("property_size", { enum: PROPERTY_SIZES }).notNull(),
    grassType: text("grass_type", { enum: GRASS_TYPES }),
    urgency: text({ enum: URGENCIES }).notNull(),
    frequency: text({ enum: FREQUENCIES }).notNull(),
    accessRequirements: text("access_requirements", { enum: ACCESS_KINDS }),
    budgetConcern: text("budget_concern", { enum: BUDGET_CONCERNS }).notNull(),
    previousExperience: text("previous_experience", { enum: PREVIOUS_EXPERIENCES }).notNull(),
    specificRequests: text("specific_requests"),
    lawnCondition: text("lawn_condition", { enum: LAWN_CONDITIONS }),
    hasSlopes: integer("has_slopes", { mode: "boolean" }).notNull().default(false),
    hasPets: integer("has_pets", { mode: "boolean" }).notNull().default(false),
    preferredTime: text("preferred_time", { enum: PREFERRED_TIMES }).notNull(),
    additionalServices: text("additional_services", { mode: "json" }).$type<string[]>().notNull(),
    preferredLocation: text("preferred_location"),
    suburbId: text("suburb_id").references(() => suburbs.id),
    suburbName: text("suburb_name"),
    suburbPostcode: text("suburb_postcode"),
    /** The suburb's centre. */
    latitude: real(),
    longitude: real(),
    /** Where the lead is traded; fixed once listed, except when an admin moves it (then generation + 1). */
    region: text({ enum: REGION_SLUGS }).notNull(),
    generation: integer().notNull().default(1),
    listingState: text("listing_state", { enum: LISTING_STATES }).notNull(),
    status: text({ enum: LEAD_STATUSES }).notNull().default("available"),
    /** Version of the exchange's record that `status` mirrors; older mirrors never overwrite newer ones. */
    exchangeVersion: integer("exchange_version").notNull().default(0),
    leadScore: integer("lead_score").notNull().default(0),
    priceCents: integer("price_cents").notNull(),
    consentWording: text("consent_wording"),
    consentAt: integer("consent_at"),
    /** Phone in E.164, email in lower case, street without noise: what finds requests sent twice. */
    phoneKey: text("phone_key"),
    /** The second number where two were given, or one nobody could read; empty for neither, null when not looked at yet. */
    otherPhoneKey: text("other_phone_key"),
    emailKey: text("email_key"),
    streetKey: text("street_key"),
    /** Keyed hashes of the sender's /48, /56 and /64, with dots between; of an IPv4 address thrice the same. */
    originKey: text("origin_key"),
    /** Why it was kept off the market; empty when nothing looked wrong. */
    quarantineReasons: text("quarantine_reasons", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Who released or dropped it, and when. */
    reviewedByUserId: text("reviewed_by_user_id"),
    reviewedAt: integer("reviewed_at"),
    withdrawnReason: text("withdrawn_reason"),
    /** What rivals may read of the customer's name and texts, and since when; without a time it is not worked out yet. */
    redactedName: text("redacted_name"),
    redactedRequests: text("redacted_requests"),
    redactedLocation: text("redacted_location"),
    redactedAt: integer("redacted_at"),
    /** Set when the person was erased, on request or by the retention job. */
    erasedAt: integer("erased_at"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("leads_submission").on(table.submissionId),
    uniqueIndex("leads_reference")
      .on(table.reference)
      .where(sql`reference IS NOT NULL`),
    index("leads_phone").on(table.phoneKey, table.createdAt),
    index("leads_other_phone")
      .on(table.otherPhoneKey)
      .where(sql`other_phone_key <> ''`),
    // The sweep: what was stored before it had keys.
    index("leads_without_keys")
      .on(table.id)
      .where(sql`other_phone_key IS NULL AND erased_at IS NULL`),
    index("leads_email").on(table.emailKey, table.createdAt),
    // Requests from one /48 that were not set aside.
    index("leads_origin")
      .on(sql`(substr(origin_key, 1, 22))`, table.createdAt)
      .where(sql`quarantine_reasons = '[]'`),
    // How many requests came for a suburb lately; what a provider typed in does not count.
    index("leads_suburb")
      .on(table.suburbId, table.createdAt)
      .where(sql`source <> 'manual'`),
    // The admins' lists, newest first: all, one region's, what is kept off the market, what providers typed in.
    index("leads_created").on(table.createdAt, table.id),
    // And what has come to an end in one way, which may be rare. In other words than the sweeps ask by: nearly
    // all requests end in one of two ways, and SQLite took an index on where they stand for everything.
    index("leads_by_end")
      .on(sql`(status || '')`, table.createdAt, table.id)
      .where(sql`status <> 'available'`),
    // In other words than the market asks by: SQLite without statistics took this one for it, with all the past.
    index("leads_by_region").on(sql`(region || '')`, table.createdAt, table.id),
    // Admins look for a name, a surname or a street by how it begins, in the words of worker/leads/lead-search.
    index("leads_by_name").on(sql`(lower(customer_name))`),
    index("leads_by_surname").on(sql`(substr(lower(customer_name), instr(customer_name, ' ') + 1))`),
    index("leads_by_street")
      .on(sql`(ltrim(street_key, '0123456789/- '))`)
      .where(sql`street_key IS NOT NULL`),
    index("leads_quarantined")
      .on(table.createdAt, table.id)
      .where(sql`listing_state = 'quarantined'`),
    // GET /api/leads: newest available leads, in all regions or in one.
    index("leads_available")
      .on(table.createdAt, table.id)
      .where(sql`status = 'available' AND listing_state = 'listed'`),
    index("leads_available_region")
      .on(table.region, table.createdAt, table.id)
      .where(sql`status = 'available' AND listing_state = 'listed'`),
    // The sweep: requests that were stored but not listed.
    index("leads_pending")
      .on(table.createdAt, table.id)
      .where(sql`listing_state = 'pending'`),
    // What rivals may still read, longest ago redacted first; nothing of a sold lead shows to them, and what
    // waits for its market is redacted when it gets there.
    index("leads_redacted")
      .on(table.redactedAt)
      .where(sql`status = 'available' AND listing_state <> 'pending'`),
    // The retention job: what nobody bought, or somebody long ago, and still names a person.
    index("leads_to_anonymise")
      .on(table.createdAt)
      .where(sql`status <> 'sold' AND erased_at IS NULL`),
    index("leads_sold_to_anonymise")
      .on(table.createdAt)
      .where(sql`status = 'sold' AND erased_at IS NULL`),
    check("leads_price_in_range", sql`price_cents BETWEEN 0 AND 9999999999`),
    check("leads_lists_are_json", sql`json_valid(service_type) AND json_valid(additional_services)`),
  ],
);

/**
 * Signed starts of forms that came with a request, so that each serves one. Kept as long as a start is good.
 */
export const formStarts = sqliteTable(
  "form_starts",
  {
    nonce: text().primaryKey(),
    /** The request it came with; the same one, sent again, may bring it again. */
    submissionId: text("submission_id").notNull(),
    usedAt: integer("used_at").notNull(),
  },
  (table) => [index("form_starts_used").on(table.usedAt)],
);

/** By which a request with nearly the same words is found (worker/leads/quarantine/text-rules.ts). Kept for two weeks. */
export const textMarks = sqliteTable(
  "text_marks",
  {
    mark: integer().notNull(),
    at: integer().notNull(),
    leadId: text("lead_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.mark, table.at, table.leadId] }),
    index("text_marks_at").on(table.at),
  ],
);

export const leadPurchases = sqliteTable(
  "lead_purchases",
  {
    /** Minted by the exchange, so that writing a sale twice is harmless. */
    id: text().primaryKey(),
    leadId: text("lead_id")
      .notNull()
      .references(() => leads.id),
    /** The business: its owner's user id. Every tenant query filters by it. */
    buyerId: text("buyer_id")
      .notNull()
      .references(() => users.id),
    /** Who pressed the button; the owner, or an admin who assigned it. */
    boughtByUserId: text("bought_by_user_id").notNull(),
    buyerName: text("buyer_name").notNull(),
    buyerEmail: text("buyer_email"),
    buyerPhone: text("buyer_phone"),
    buyerCompany: text("buyer_company"),
    mode: text({ enum: PURCHASE_MODES }).notNull(),
    amountPaidCents: integer("amount_paid_cents").notNull(),
    paymentStatus: text("payment_status", { enum: PAYMENT_STATUSES }).notNull().default("pending"),
    /** The payment it was bought with; null when no card was charged. */
    paymentIntentId: text("payment_intent_id"),
    purchasedAt: integer("purchased_at").notNull(),
    /** Read through `knownStage`: an unknown stored value shows as accepted_lead. */
    salesStage: text("sales_stage").notNull().default("accepted_lead"),
    salesNotes: text("sales_notes"),
    notesVersion: integer("notes_version").notNull().default(0),
    customerPaymentAmountCents: integer("customer_payment_amount_cents"),
    /** Whose words the notes are, and since when. */
    notesByUserId: text("notes_by_user_id"),
    notesAt: integer("notes_at"),
    nextActionAt: integer("next_action_at"),
    nextActionNote: text("next_action_note"),
    /** The person of the business who looks after it. */
    assignedToUserId: text("assigned_to_user_id"),
    /**
     * The customer's details as the business corrected them. A missing one is as the request has it; an empty one
     * says that the customer has none. One column, because a purchase and its lead together must stay under D1's
     * 100 columns a result.
     */
    corrected: text({ mode: "json" }).$type<Partial<Record<CorrectedDetail, string>>>(),
    /** The keys of the last changes, the newest first: a window that never heard the answer sends its change again. */
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
    /** Set when an owner removes a manual lead or an admin a bought one; the row stays. */
    removedAt: integer("removed_at"),
    /** Who removed it: nobody else takes that back. */
    removedByUserId: text("removed_by_user_id"),
    /** Calls in a row that reached nobody, and the last time somebody tried or spoke to the customer. */
    tries: integer().notNull().default(0),
    lastContactAt: integer("last_contact_at"),
    /** When the customer last wrote back to a text message, and up to when somebody of the business has read it. */
    answeredAt: integer("answered_at"),
    answersSeenAt: integer("answers_seen_at"),
    /**
     * Where it stands: its stage as stored while it is open, else `final`; worked out by SQLite so that one
     * index serves every tile. A stage that no list knows is shown under accepted_lead (pipeline/routes.ts).
     */
    tile: text().generatedAlwaysAs(
      // No list of stages: SQLite could change one only by building the table anew.
      sql`CASE WHEN is_archived OR finalised_at IS NOT NULL THEN 'final' ELSE sales_stage END`,
      { mode: "virtual" },
    ),
    /** Sorts purchases by their next action, those without one behind all others. */
    nextActionOrder: integer("next_action_order").generatedAlwaysAs(
      sql.raw(`coalesce(next_action_at, ${NO_DATE})`),
      { mode: "virtual" },
    ),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    // The last defence of "one lead, one buyer".
    uniqueIndex("lead_purchases_live_lead")
      .on(table.leadId)
      .where(sql`removed_at IS NULL`),
    // Removed ones included: when the lead's person is erased.
    index("lead_purchases_lead").on(table.leadId),
    // What changed hands on a day, for the market's figures and the night's reconciliation.
    index("lead_purchases_traded")
      .on(table.purchasedAt)
      .where(sql`mode <> 'manual'`),
    index("lead_purchases_business")
      .on(table.buyerId, table.purchasedAt, table.id)
      .where(sql`removed_at IS NULL`),
    index("lead_purchases_tile")
      .on(table.buyerId, table.tile, table.purchasedAt, table.id)
      .where(sql`removed_at IS NULL`),
    // What Stripe says of a payment later finds its purchase here.
    uniqueIndex("lead_purchases_payment")
      .on(table.paymentIntentId)
      .where(sql`payment_intent_id IS NOT NULL`),
    // What a window missed while it was away; removed ones included, it has to learn of them too.
    index("lead_purchases_changed").on(table.buyerId, table.updatedAt, table.id),
    // When a person leaves the team.
    index("lead_purchases_assigned")
      .on(table.assignedToUserId)
      .where(sql`assigned_to_user_id IS NOT NULL`),
    // What is to be done next comes first, what has no date last.
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
 * How many purchases each tile of a business has, so that counting never reads the pipeline. Written by
 * triggers on `lead_purchases` alone (migration 0005), in the same statement as the change they count.
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
    id: integer().primaryKey({ autoIncrement: true }),
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
    // The first entry is written with the purchase; replaying a sale must not write it again.
    uniqueIndex("stage_changes_first")
      .on(table.purchaseId)
      .where(sql`from_stage IS NULL`),
  ],
);

/**
 * Each time a business corrected its customer's details: what stood there before. The request itself stays as it
 * was sent.
 */
export const contactCorrections = sqliteTable(
  "contact_corrections",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    /** Null where it was not corrected, empty where there was none. */
    nameBefore: text("name_before"),
    phoneBefore: text("phone_before"),
    emailBefore: text("email_before"),
    addressBefore: text("address_before"),
    /** Of the corrected details, as a lead's: by them the customer is found to be erased. */
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
 * Every call and text message about a purchase, as whoever made it says. It never decides how far a lead
 * has come: that is the purchase's own stage and its times, which figures are counted from.
 */
export const contactLog = sqliteTable(
  "contact_log",
  {
    id: text().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    /** Not checked by the table, so that outcomes may come and go without rebuilding it. */
    outcome: text().$type<ContactOutcome>().notNull(),
    byUserId: text("by_user_id").notNull(),
    /** When it happened: a phone without a connection tells later. */
    at: integer().notNull(),
    /** Made by the window for each entry: the same one again is not written twice. */
    entryKey: text("entry_key").notNull(),
  },
  (table) => [
    index("contact_log_purchase").on(table.purchaseId, table.at),
    uniqueIndex("contact_log_entry").on(table.purchaseId, table.entryKey),
  ],
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
    /** 1 or 2 while the hold is open, else null: a business has at most two open holds anywhere. */
    slot: integer(),
    /** A new provider's networks as keyed hashes, /56 and /48, while the hold is open. */
    newcomer56: text("newcomer_56"),
    newcomer48: text("newcomer_48"),
    amountCents: integer("amount_cents").notNull(),
    currency: text().notNull().default("aud"),
    lastError: text("last_error"),
    /** What the receipt says about the card. */
    cardBrand: text("card_brand"),
    cardLast4: text("card_last4"),
    /** The wording with which the buyer agreed that the card is kept; null when they did not. */
    saveCardConsent: text("save_card_consent"),
    /** The claim key the hold was made with; it names one lead, in whatever region. */
    claimKey: text("claim_key"),
    /** When its buyer let go of the lead, by closing or by running out of time; null when they did not. */
    letGoAt: integer("let_go_at"),
    /** How much of it was paid back, also by hand in Stripe's dashboard. */
    refundedCents: integer("refunded_cents").notNull().default(0),
    succeededAt: integer("succeeded_at"),
    refundedAt: integer("refunded_at"),
    /** When Stripe last answered a question whose answer stands here: what was asked before then is older news. */
    readAtStripeAt: integer("read_at_stripe_at").notNull().default(0),
    /** When a reconciliation last found it in Stripe's own list. */
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
    index("payments_state").on(table.state, table.updatedAt),
    // The admins' list of one state.
    index("payments_listed").on(table.state, table.createdAt, table.id),
    index("payments_claim")
      .on(table.buyerId, table.claimKey, table.createdAt)
      .where(sql`claim_key IS NOT NULL`),
    index("payments_let_go")
      .on(table.buyerId, table.letGoAt)
      .where(sql`let_go_at IS NOT NULL`),
    // What came in and went back on a day, for the market's figures.
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

/**
 * Businesses that have paid with a card at least once, and since when; a card is kept only by paying with it.
 * Written by triggers on `payments` alone (the migration that makes this table).
 */
export const payingBusinesses = sqliteTable("paying_businesses", {
  businessId: text("business_id").primaryKey(),
  since: integer().notNull(),
});

/** A provider says that a bought lead leads nowhere; an admin answers. Money stays where it is. */
export const dudReports = sqliteTable(
  "dud_reports",
  {
    id: text().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    leadId: text("lead_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    reportedByUserId: text("reported_by_user_id").notNull(),
    reason: text({ enum: DUD_REASONS }).notNull(),
    note: text(),
    state: text({ enum: DUD_STATES }).notNull().default("open"),
    answer: text(),
    answeredByUserId: text("answered_by_user_id"),
    answeredAt: integer("answered_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("dud_reports_purchase").on(table.purchaseId),
    index("dud_reports_state").on(table.state, table.createdAt, table.id),
    index("dud_reports_business").on(table.buyerId, table.createdAt),
    // Reports of a day, for the market's figures.
    index("dud_reports_created").on(table.createdAt),
  ],
);

/** Free claims granted for duds. */
export const claimCredits = sqliteTable(
  "claim_credits",
  {
    id: text().primaryKey(),
    buyerId: text("buyer_id").notNull(),
    dudReportId: text("dud_report_id")
      .notNull()
      .references(() => dudReports.id),
    createdAt: integer("created_at").notNull(),
    /** The lead it was or is being spent on; a claim that fails gives it back. */
    usedForLeadId: text("used_for_lead_id"),
    usedAt: integer("used_at"),
    /** When the sweep saw the purchase it was spent on; from then on it looks no more. */
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("claim_credits_report").on(table.dudReportId),
    uniqueIndex("claim_credits_lead").on(table.usedForLeadId),
    index("claim_credits_business").on(table.buyerId, table.usedAt, table.createdAt),
    // The sweep: claims of which it is not known how they ended.
    index("claim_credits_unfinished")
      .on(table.usedAt)
      .where(sql`used_at IS NOT NULL AND finished_at IS NULL`),
  ],
);

/** Regions an operator took off the market for a while. Requests wait as `pending`. */
export const pausedRegions = sqliteTable("paused_regions", {
  region: text({ enum: REGION_SLUGS }).primaryKey(),
  reason: text().notNull(),
  since: integer().notNull(),
});

/** What is counted of a day; worker/operations/market-figures says how, docs/figures.md with which queries. */
const marketCounts = () => ({
  leads: integer().notNull(),
  suspicious: integer().notNull(),
  /** Requests of the day that reached the market, and how many of those somebody has by now. */
  listed: integer().notNull(),
  taken: integer().notNull(),
  /** How many of them were called, or were further on at once, and how many jobs were booked. */
  called: integer().notNull().default(0),
  booked: integer().notNull().default(0),
  sold: integer().notNull(),
  given: integer().notNull(),
  revenueCents: integer("revenue_cents").notNull(),
  refundCents: integer("refund_cents").notNull(),
  duds: integer().notNull(),
});

/** The market's figures by day in Sydney, all regions together. Counted by the cron; rebuilt by a command. */
export const marketDays = sqliteTable("market_days", {
  /** Such as "2026-11-22". */
  day: text().primaryKey(),
  ...marketCounts(),
  /* Providers as they stood when the day was last counted on the day itself; null where it never was. */
  providers: integer(),
  freshProviders: integer("fresh_providers"),
  activeProviders: integer("active_providers"),
  countedAt: integer("counted_at").notNull(),
});

/** The same for each region in which something happened. */
export const marketDayRegions = sqliteTable(
  "market_day_regions",
  {
    day: text().notNull(),
    region: text({ enum: REGION_SLUGS }).notNull(),
    ...marketCounts(),
  },
  (table) => [primaryKey({ columns: [table.day, table.region] })],
);

/** How often visitors' pages were opened and forms begun on a day in Sydney. Of whom, nobody knows. */
export const visitDays = sqliteTable("visit_days", {
  day: text().primaryKey(),
  pages: integer().notNull().default(0),
  forms: integer().notNull().default(0),
});

/** Append-only: who, as whom, did what to what. Written in the batch of the change itself. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** The person at the keyboard; null for the system. */
    actorUserId: text("actor_user_id"),
    /** Whom they were impersonating, if anyone. */
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
    // An id's prefix says what it is of.
    index("audit_log_subject").on(table.subjectId, table.at),
    index("audit_log_action").on(table.action, table.at),
    index("audit_log_actor").on(table.actorUserId, table.at),
    index("audit_log_as")
      .on(table.asUserId, table.at)
      .where(sql`as_user_id IS NOT NULL`),
  ],
);

/** Claims the system could not put right by itself; shown to super admins. */
export const attention = sqliteTable(
  "attention",
  {
    kind: text().notNull(),
    subjectId: text("subject_id").notNull(),
    detail: text().notNull(),
    since: integer().notNull(),
    resolvedAt: integer("resolved_at"),
    /** When the super admins were told by email; null where they were not, or where none can be sent. */
    toldAt: integer("told_at"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subjectId] }),
    index("attention_open").on(table.resolvedAt, table.since),
  ],
);

/** What admins write about a provider, for each other. It may speak of people: it goes when the provider is erased. */
export const providerNotes = sqliteTable(
  "provider_notes",
  {
    id: text().primaryKey(),
    providerId: text("provider_id")
      .notNull()
      .references(() => users.id),
    /** What it was written with. Not checked by the table, so that kinds may come and go without rebuilding it. */
    kind: text().$type<ProviderNoteKind>().notNull(),
    text: text().notNull(),
    /** What besides the provider it is about, such as a payment. */
    subjectId: text("subject_id"),
    byUserId: text("by_user_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("provider_notes_provider").on(table.providerId, table.createdAt),
    // When the person is erased whose lead it speaks of.
    index("provider_notes_subject")
      .on(table.subjectId)
      .where(sql`subject_id IS NOT NULL`),
  ],
);

/** Browsers in which somebody allowed notifications. One is written to only while the session that allowed it lasts. */
export const pushDevices = sqliteTable(
  "push_devices",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** No reference: the row may outlive its session, and then rests until its person turns it on again. */
    sessionId: text("session_id").notNull(),
    /** Where its push service takes messages for it: chosen by the browser, so only known services are called. */
    endpoint: text().notNull(),
    /** The browser's public key and secret (RFC 8291), base64url: nobody in between reads a message. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** Where the site is for it, e.g. "https://naturestrip.example": what a click opens. */
    origin: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("push_devices_endpoint").on(table.endpoint),
    index("push_devices_user").on(table.userId, table.createdAt),
  ],
);

/** When a person wants quiet; who has no row has the usual hours. */
export const quietHours = sqliteTable("quiet_hours", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  /** In Sydney, such as "20:00". */
  startsAt: text("starts_at").notNull(),
  endsAt: text("ends_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** Which new leads a person is told of; who has no row hears of all that their business watches and works in. */
export const leadAlerts = sqliteTable("lead_alerts", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  /** Of the watched regions, of the services and of the urgencies those that ring; null for all. */
  regions: text({ mode: "json" }).$type<string[]>(),
  services: text({ mode: "json" }).$type<string[]>(),
  urgencies: text({ mode: "json" }).$type<string[]>(),
  /** The smallest lawn that rings; null for any. */
  leastSize: text("least_size"),
  /** On holiday: no new lead rings before this moment; null for none. */
  pausedUntil: integer("paused_until"),
  updatedAt: integer("updated_at").notNull(),
});

/** What a team member is told of, as their owner has it; who has no row is told when somebody mentions them. */
export const teamAlerts = sqliteTable("team_alerts", {
  /** The member. */
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  sales: integer({ mode: "boolean" }).notNull(),
  mentions: integer({ mode: "boolean" }).notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/**
 * What is to be said to people who are not looking: written in the batch of the change that causes it, sent
 * afterwards, tried again until it is handed over or too old. What it says is worked out when it is sent, so
 * no row holds anybody's words, and none a one-time secret: links are made when they are sent.
 */
export const messages = sqliteTable(
  "messages",
  {
    id: text().primaryKey(),
    /** What makes two messages the same one; it is written once. */
    dedupeKey: text("dedupe_key").notNull(),
    /** Not checked by the table, nor is the template, so that kinds may come and go without rebuilding it. */
    channel: text().$type<MessageChannel>().notNull(),
    template: text().$type<MessageTemplate>().notNull(),
    /** The device, the email address in small letters or the number in E.164 it goes to; null for what has yet to be spread. */
    recipient: text(),
    /** Whose it is, for when they are erased. */
    userId: text("user_id"),
    /** The request it is about, a lead's or an inspection booking's id, for when its person is erased. */
    leadId: text("lead_id"),
    /** Ids and times only. */
    payload: text({ mode: "json" }).$type<MessagePayload>().notNull(),
    /** When it is to be sent; while somebody sends it, when another may try. */
    due: integer().notNull(),
    /** From then on it is dropped, not sent late. */
    expiresAt: integer("expires_at").notNull(),
    state: text().$type<MessageState>().notNull().default("waiting"),
    attempts: integer().notNull().default(0),
    /** When somebody last took it to send it: what was sent within a minute and a day is counted by it. */
    triedAt: integer("tried_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("messages_dedupe").on(table.dedupeKey),
    index("messages_due")
      .on(table.due, table.id)
      .where(sql`state = 'waiting'`),
    // When a device or an address was last told something of a kind.
    index("messages_recipient").on(table.recipient, table.template, table.createdAt),
    // When the person is erased.
    index("messages_user")
      .on(table.userId)
      .where(sql`user_id IS NOT NULL`),
    index("messages_lead")
      .on(table.leadId)
      .where(sql`lead_id IS NOT NULL`),
    // What a channel sent lately, and what became of it.
    index("messages_tried")
      .on(table.channel, table.triedAt)
      .where(sql`tried_at IS NOT NULL`),
    // The sweep: what is over and may go.
    index("messages_over")
      .on(table.createdAt, table.id)
      .where(sql`state <> 'waiting'`),
    // The admins' list of those that may be sent again.
    index("messages_failed")
      .on(table.createdAt, table.id)
      .where(sql`state = 'failed'`),
  ],
);

/** How a channel is to be used; one without a row is on, but for texts, with the usual limit. */
export const messageChannels = sqliteTable("message_channels", {
  channel: text().$type<Exclude<MessageChannel, "spread">>().primaryKey(),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  /** Messages that others cause, within 24 hours. */
  mostADay: integer("most_a_day").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** Numbers whose owners want no more text messages from us, hashed. */
export const textStops = sqliteTable("text_stops", {
  numberHash: text("number_hash").primaryKey(),
  since: integer().notNull(),
});

/** Email addresses whose owners want no more emails about requests, hashed. */
export const emailStops = sqliteTable("email_stops", {
  addressHash: text("address_hash").primaryKey(),
  since: integer().notNull(),
});

/** What customers wrote back to a text message of ours, for who bought their request. */
export const customerAnswers = sqliteTable(
  "customer_answers",
  {
    id: text().primaryKey(),
    purchaseId: text("purchase_id")
      .notNull()
      .references(() => leadPurchases.id),
    body: text().notNull(),
    /** The gateway's name for it, so that a repeated call writes nothing new. */
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
 * What an operator asks the Worker to do, because only the Worker reaches the exchanges and the secrets.
 * Rows are written with `wrangler d1 execute` and carried out by the cron: whoever can write here can do
 * anything anyway, so there is no route and no token to guard. docs/decisions has the reasons.
 */
export const operatorJobs = sqliteTable(
  "operator_jobs",
  {
    id: text().primaryKey(),
    /** Not checked by the table, so that kinds may come and go without rebuilding it. */
    kind: text().notNull(),
    /** What the kind asks for; may name a person, so it is cleared when the job ends. */
    input: text({ mode: "json" }),
    state: text({ enum: OPERATOR_JOB_STATES }).notNull().default("waiting"),
    /** Where a long job goes on; nothing personal. */
    progress: text({ mode: "json" }),
    /** Counts and reasons for the operator; nothing personal. */
    result: text({ mode: "json" }),
    /** While a run works on it, nobody else does. */
    leasedUntil: integer("leased_until").notNull().default(0),
    attempts: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("operator_jobs_state").on(table.state, table.createdAt)],
);
