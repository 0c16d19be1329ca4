/** Purchases, and the tables about a purchase that layers below `pipeline/` also use. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { ContactOutcome } from "../../../contract/contacts.ts";
import type {
  CustomerChange,
  CustomerUpdateKind,
  PendingUpdateKind,
} from "../../../contract/request-links.ts";

import type { CallClock } from "../../../contract/call-clock.ts";
import { BAD_LEAD_REASONS, BAD_LEAD_STATES } from "../../../contract/bad-leads.ts";
import type { GuaranteeRule, GuaranteeState } from "../../../contract/guarantee.ts";
import type { CorrectedDetail } from "../../../contract/corrections.ts";
import { PAYMENT_STATUSES, PURCHASE_MODES } from "../../../contract/purchases.ts";
import { MAX_DATE_MS } from "../../../contract/pipeline.ts";
import { users } from "./users.ts";
import { leads } from "./leads.ts";

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
