/** Tables of sign-in, accounts, checks and the audit log. Users and sessions are in `platform/db/users.ts`. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { SignInMethod } from "../../contract/auth.ts";
import type { CheckKind, CheckState } from "../../contract/checks.ts";
import type { ChallengePurpose } from "../../contract/passkeys.ts";
import type { ProviderNoteKind } from "../../contract/providers.ts";
import { users } from "../platform/db/users.ts";
import { mailboxOf } from "../platform/db/messages.ts";

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
