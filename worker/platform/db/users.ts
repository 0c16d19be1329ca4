/** Accounts, their sessions, and the public pages of businesses. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { USER_TYPES } from "../../../contract/auth.ts";
import type { TextTemplate } from "../../../contract/text-templates.ts";
import { suburbs } from "./suburbs.ts";

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
    /** The owner of the business that a team member works for; null for others. */
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

/** A Durable Object with sockets: a region's exchange or a business's room. */
export type Place = `region:${string}` | `room:${string}`;

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
    // For closing the sockets of ended sessions. Rarely more than a few rows.
    index("live_sockets_to_close")
      .on(table.place)
      .where(sql`ended`),
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
