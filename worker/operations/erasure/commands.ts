import { DAY_MS } from "../../../contract/durations.ts";
import { and, eq, exists, inArray, isNotNull, isNull, notExists, sql } from "drizzle-orm";

import { announceCustomerUpdate, deleteAnswers } from "../../pipeline/answers/store.ts";
import { openWithdrawnCase } from "../../pipeline/guarantee/case-commands.ts";
import { eraseReviewer } from "../../pipeline/reviews/commands.ts";
import { auditEntry, auditWhen, SYSTEM_ACTOR } from "../../identity/audit/store.ts";
import { deletePendingEmail } from "../../identity/auth/email-link-store.ts";
import { deleteSecretsTo } from "../../identity/auth/one-time-secret-store.ts";
import type { Db } from "../../platform/db/client.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { expirePages, SHOWN_JOBS_TAG } from "../../platform/edge-cache/public-pages.ts";
import { providerNotes } from "../../identity/tables.ts";
import { bookings, requestLinks } from "../../leads/tables.ts";
import { contactCorrections } from "../../pipeline/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { payments } from "../../platform/db/payments.ts";
import {
  badLeadReports,
  contactLog,
  customerUpdates,
  guaranteeCases,
  leadPurchases,
} from "../../platform/db/purchases.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { roomOf } from "../../live/room.ts";
import type { Context } from "../../platform/context.ts";
import { ENDED_CLOCK } from "../../platform/db/call-result.ts";
import { type LeadRow, marketsOf } from "../../leads/rules.ts";
import { isRescuedFrom } from "../../leads/request-link-store.ts";
import { deletePhotosOfLead } from "../../leads/photos/commands.ts";
import { findShownWork } from "../../leads/photos/queries.ts";
import { log } from "../../platform/log.ts";
import { deleteAddressMessages, deleteRequestMessages } from "../../outbox/commands.ts";
import { closedUserId, type ErasedPerson } from "./rules.ts";
import { type Cause, closeBusiness, eraseAccount, eraseBusiness } from "./account-commands.ts";
import {
  findAccountsOf,
  findBookingsOf,
  findByUsername,
  findLeadsOf,
  listLeadsAddedBy,
  listOldBookings,
  listOldSold,
  listUnsold,
} from "./queries.ts";
import { erasedBooking, erasedLead, ERASED_CUSTOMER } from "./erased-rows.ts";

const BATCH = 50;

/** The retention sweep stops after this many failed leads in one run. */
const MAX_FAILURES = 1_000;

const RETENTION: Cause = { reason: "retention", jobId: null };

/**
 * Erases a lead's summary in every exchange that had it, and takes the lead off its market. A sweep with an outdated
 * row finds a closed record and does not list the lead.
 * @returns false while a buyer is paying for the lead
 */
async function eraseAtExchanges(context: Context, lead: LeadRow): Promise<boolean> {
  // A provider's own lead has never been on a market.
  if (lead.listingState === "private") return true;
  const { id: leadId, generation, priceCents, expiresAt } = lead;
  const terms = { leadId, generation, priceCents, expiresAt };
  const { erased } = await exchangeOf(context, lead.region)!.erase(terms);
  if (!erased) return false;
  // Former markets closed the lead when it moved, but still store its summary.
  await Promise.all(
    marketsOf(lead)
      .filter((region) => region !== lead.region)
      .map((region) => exchangeOf(context, region)!.forget(leadId)),
  );
  return true;
}

/** SQL: a lead that was rescued from another, until its person is erased. */
const isRescueLeft = (leadId: string) => and(isRescuedFrom(leadId), isNull(leads.erasedAt))!;

/**
 * Returns the statements that erase a lead's person in D1. Purchases, payments and log entries remain without the
 * person.
 */
function leadStatements(db: Db, { id: leadId, generation, emailKey }: LeadRow, cause: Cause, now: number) {
  // Erase only the generation we read. If the lead has moved or was rescued in the meantime, the next round erases it.
  const ofLead = and(
    eq(leads.id, leadId),
    eq(leads.generation, generation),
    isNull(leads.erasedAt),
    notExists(db.select({ id: leads.id }).from(leads).where(isRescueLeft(leadId))),
  )!;
  const entry = { at: now, action: "lead.erased", subjectType: "lead", subjectId: leadId, after: cause };
  const purchases = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  return [
    auditWhen(db, exists(db.select({ id: leads.id }).from(leads).where(ofLead)), SYSTEM_ACTOR, entry),
    db
      .update(leads)
      .set({
        ...erasedLead(now),
        status: sql`CASE status WHEN 'available' THEN 'withdrawn' ELSE status END`,
        listingState: sql`CASE listing_state WHEN 'private' THEN listing_state ELSE 'closed' END`,
      })
      .where(ofLead)
      .returning({ id: leads.id }),
    db.update(bookings).set(erasedBooking(now)).where(eq(bookings.leadId, leadId)),
    deleteRequestMessages(db, leadId),
    db.delete(requestLinks).where(eq(requestLinks.leadId, leadId)),
    deleteSecretsTo(db, emailKey ?? "", "request_list"),
    // Before the deletion of the calls, which decide it.
    ...(cause.reason === "customer" ? [openWithdrawnCase(db, leadId, now)] : []),
    db
      .update(leadPurchases)
      .set({
        ...ERASED_CUSTOMER,
        tries: 0,
        lastContactAt: null,
        reachedAt: null,
        ...ENDED_CLOCK,
        notesVersion: sql`${leadPurchases.notesVersion} + 1`,
        updatedAt: nextUpdatedAt(now),
      })
      .where(eq(leadPurchases.leadId, leadId)),
    // Deletes call times and outcomes.
    db.delete(contactLog).where(inArray(contactLog.purchaseId, purchases)),
    db.delete(contactCorrections).where(inArray(contactCorrections.purchaseId, purchases)),
    deleteAnswers(db, purchases),
    db.delete(customerUpdates).where(eq(customerUpdates.leadId, leadId)),
    ...deletePhotosOfLead(db, leadId),
    ...(cause.reason === "customer"
      ? announceCustomerUpdate(db, { id: `upd_erased_${leadId}`, leadId, kind: "erased" }, now)
      : []),
    db
      .update(badLeadReports)
      .set({ note: null, answer: null })
      .where(inArray(badLeadReports.purchaseId, purchases)),
    db
      .update(guaranteeCases)
      .set({ contestNote: null, answer: null })
      .where(inArray(guaranteeCases.purchaseId, purchases)),
    eraseReviewer(db, leadId, now),
    // Deletes the reasons for refunds.
    db
      .delete(providerNotes)
      .where(
        inArray(
          providerNotes.subjectId,
          db.select({ id: payments.id }).from(payments).where(eq(payments.leadId, leadId)),
        ),
      ),
  ] as const;
}

/** Notifies the buyer's open windows. A window that misses the notice catches up when it reconnects. */
async function notifyBuyer(context: Context, db: Db, leadId: string): Promise<void> {
  const bought = await db
    .select({ purchaseId: leadPurchases.id, buyerId: leadPurchases.buyerId })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  for (const { purchaseId, buyerId } of bought) {
    await roomOf(context, buyerId)
      .notify({ type: "purchase_changed", purchaseId, byUserId: "system" })
      .catch((error: unknown) => log("warn", "room_unreachable", { error }));
  }
}

async function isErased(db: Db, leadId: string): Promise<boolean> {
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.id, leadId), isNotNull(leads.erasedAt)));
  return rows.length > 0;
}

/**
 * Erases the person of one lead, in its exchanges and in D1: first in the lead that was rescued from it, because only the
 * first lead leads to that one. Idempotent.
 * @returns false while a buyer is paying for the lead, or while the lead moves to another region; try again later
 * @throws an exchange's or D1's error
 */
export async function eraseLead(
  context: Context,
  lead: LeadRow,
  cause: Cause,
  now: number,
): Promise<boolean> {
  const db = context.db;
  const [rescued] = await db.select().from(leads).where(isRescueLeft(lead.id));
  if (rescued && !(await eraseLead(context, rescued, cause, now))) return false;
  if (!(await eraseAtExchanges(context, lead))) return false;
  const [shown, , erased] = await db.batch([
    findShownWork(db, lead.id),
    ...leadStatements(db, lead, cause, now),
  ]);
  if (erased.length === 0 && !(await isErased(db, lead.id))) return false;
  const { siteUrl } = context.settings;
  if (siteUrl && shown.length > 0) await expirePages(siteUrl, [SHOWN_JOBS_TAG], "purge");
  await notifyBuyer(context, db, lead.id);
  return true;
}

async function eraseBookings(db: Db, ids: string[], cause: Cause, now: number): Promise<void> {
  for (const id of ids) {
    await db.batch([
      db.update(bookings).set(erasedBooking(now)).where(eq(bookings.id, id)),
      deleteRequestMessages(db, id),
      auditEntry(db, SYSTEM_ACTOR, {
        at: now,
        action: "booking.erased",
        subjectType: "booking",
        subjectId: id,
        after: cause,
      }),
    ]);
  }
}

/**
 * The result of one erasure round. `waiting` counts leads that a buyer is paying for, leads that are moving, and a
 * business with a payment in progress.
 */
export type ErasureRound = {
  leads: number;
  bookings: number;
  accounts: number;
  /** Matching accounts that are not erased: providers and team members found by number or email, and super admins. */
  accountsLeft: number;
  /** Purchases of erased providers. They are retained without a name. */
  purchases: number;
  waiting: number;
  /** Whether another round is needed. */
  more: boolean;
};

const EMPTY_ROUND: ErasureRound = {
  leads: 0,
  bookings: 0,
  accounts: 0,
  accountsLeft: 0,
  purchases: 0,
  waiting: 0,
  more: false,
};

/** Erases leads. @returns how many were erased, and how many must wait for a payment or a move */
async function eraseLeads(context: Context, found: LeadRow[], cause: Cause, now: number) {
  let waiting = 0;
  for (const lead of found) if (!(await eraseLead(context, lead, cause, now))) waiting += 1;
  return { leads: found.length - waiting, waiting, more: waiting > 0 || found.length === BATCH };
}

/** Erases part of the data of the account with this username. Skips super admins. */
async function eraseByUsername(
  context: Context,
  username: string,
  cause: Cause & { jobId: string },
  now: number,
): Promise<ErasureRound> {
  const db = context.db;
  const user = await findByUsername(db, username);
  if (!user) return EMPTY_ROUND;
  // Once a closed account is erased, someone else may sign up with its username before a retry.
  const closedId = closedUserId(cause.jobId);
  if (closedId && user.id !== closedId) return EMPTY_ROUND;
  // Guards against a mistyped username: revoke super-admin rights before erasing the account.
  if (user.isSuperAdmin) return { ...EMPTY_ROUND, accountsLeft: 1 };
  if (user.userType !== "provider") {
    await eraseAccount(context, user, cause, now);
    return { ...EMPTY_ROUND, accounts: 1 };
  }
  if (!(await closeBusiness(context, user, now))) return { ...EMPTY_ROUND, waiting: 1, more: true };
  const addedLeads = await eraseLeads(context, await listLeadsAddedBy(db, user.id, BATCH), cause, now);
  if (addedLeads.more) return { ...EMPTY_ROUND, ...addedLeads };
  return { ...EMPTY_ROUND, ...addedLeads, ...(await eraseBusiness(context, user, cause, now)) };
}

/** Erases a person by number and email: first requests and bookings, then accounts. */
async function eraseByContact(
  context: Context,
  person: ErasedPerson,
  cause: Cause,
  now: number,
): Promise<ErasureRound> {
  const db = context.db;
  const requests = await eraseLeads(context, await findLeadsOf(db, person, BATCH), cause, now);
  const bookingIds = await findBookingsOf(db, person, BATCH);
  await eraseBookings(db, bookingIds, cause, now);
  const round = { ...EMPTY_ROUND, ...requests, bookings: bookingIds.length };
  if (round.more || bookingIds.length === BATCH) return { ...round, more: true };
  const { customers, others } = await findAccountsOf(db, person);
  for (const customer of customers) await eraseAccount(context, customer, cause, now);
  if (person.email !== null) {
    await deletePendingEmail(db, person.email);
    await deleteAddressMessages(db, person.email);
    await deleteSecretsTo(db, person.email, "request_list");
  }
  return { ...round, accounts: customers.length, accountsLeft: others.length };
}

/**
 * Erases a bounded part of a person's data. Call it again while `more` is true.
 * @throws an exchange's, Stripe's or D1's error; completed work stays done
 */
export async function erasePerson(
  context: Context,
  person: ErasedPerson,
  jobId: string,
  now: number,
): Promise<ErasureRound> {
  const cause = { reason: "request", jobId } as const;
  const contact = await eraseByContact(context, person, cause, now);
  if (contact.more || person.username === null) return contact;
  const byUsername = await eraseByUsername(context, person.username, cause, now);
  // A named account may also have matched by number or email. It no longer counts as left.
  const accountsLeft = Math.max(contact.accountsLeft - byUsername.accounts, byUsername.accountsLeft);
  return {
    leads: contact.leads + byUsername.leads,
    bookings: contact.bookings,
    accounts: contact.accounts + byUsername.accounts,
    // Reported only in the last round.
    accountsLeft: byUsername.more ? 0 : accountsLeft,
    purchases: byUsername.purchases,
    waiting: byUsername.waiting,
    more: byUsername.more,
  };
}

type Swept = { anonymised: number; failed: number };

/**
 * Erases the people in one page of old requests. Leads that fail stay in the list, so the sweep continues after them.
 * @param days the retention period; 0 turns the erasure off
 */
async function sweepOldLeads(
  context: Context,
  list: typeof listUnsold,
  days: number,
  now: number,
): Promise<Swept> {
  const swept: Swept = { anonymised: 0, failed: 0 };
  if (days === 0) return swept;
  let after: LeadRow | null = null;
  while (swept.anonymised < BATCH && swept.failed < MAX_FAILURES) {
    const page: LeadRow[] = await list(context.db, {
      before: now - days * DAY_MS,
      after,
      limit: BATCH,
    });
    const results = await Promise.allSettled(page.map((lead) => eraseLead(context, lead, RETENTION, now)));
    for (const result of results) {
      if (result.status === "rejected") log("warn", "retention_failed", { error: result.reason });
      if (result.status === "fulfilled" && result.value) swept.anonymised += 1;
      else swept.failed += 1;
    }
    if (page.length < BATCH) break;
    after = page.at(-1)!;
  }
  return swept;
}

/**
 * Erases the person in unsold requests and bookings older than RETENTION_DAYS, and in sold requests older than
 * SOLD_RETENTION_DAYS. Processes a bounded number per run. The period of a sold request also starts when it was sent,
 * as the privacy page says. Requests sell within days, and payments have separate records.
 */
export async function sweepRetention(context: Context, now: number): Promise<Swept> {
  const { retentionDays, soldRetentionDays } = context.settings;
  const db = context.db;
  const unsold = await sweepOldLeads(context, listUnsold, retentionDays, now);
  const sold = await sweepOldLeads(context, listOldSold, soldRetentionDays, now);
  const bookingIds =
    retentionDays > 0
      ? await listOldBookings(db, { before: now - retentionDays * DAY_MS, limit: BATCH })
      : [];
  await eraseBookings(db, bookingIds, RETENTION, now);
  return {
    anonymised: unsold.anonymised + sold.anonymised + bookingIds.length,
    failed: unsold.failed + sold.failed,
  };
}
