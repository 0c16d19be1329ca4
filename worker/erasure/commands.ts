import { and, eq, inArray, isNull, sql } from "drizzle-orm";

import { REGION_SLUGS } from "../../contract/regions.ts";
import { auditEntry, SYSTEM_ACTOR } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { bookings, dudReports, leadPurchases, leads, passwordLinks, sessions, users } from "../db/schema.ts";
import { exchangeOf, roomOf } from "../durable-objects/stubs.ts";
import { type Env, settings } from "../env.ts";
import { regionOfLeadId } from "../ids.ts";
import type { LeadRow } from "../leads/rules.ts";
import { log } from "../log.ts";
import { findAccountsOf, findBookingsOf, findLeadsOf, listOldBookings, listUnsold } from "./queries.ts";
import { erasedBooking, erasedLead, type Person } from "./rules.ts";

/** Why a person is taken out: `request` of theirs, or because `retention` is over. */
type Cause = { reason: "request" | "retention"; jobId: string | null };

const BATCH = 50;

/**
 * Takes a lead's summary out of every exchange that had it, and the lead off its market. A sweep that is
 * still on its way with the old row finds a closed record and lists nothing.
 * @returns false while somebody is paying for it
 */
async function eraseAtExchanges(env: Env, lead: LeadRow): Promise<boolean> {
  // What a provider brought along was never on a market.
  if (lead.listingState === "private") return true;
  const { id: leadId, generation, priceCents, expiresAt } = lead;
  const terms = { leadId, generation, priceCents, expiresAt };
  const { erased } = await exchangeOf(env, lead.region)!.erase(terms);
  if (!erased) return false;
  // Markets it was moved away from closed it then, but remember what was said of it.
  const first = regionOfLeadId(leadId);
  const others = generation > 2 ? REGION_SLUGS : first ? [first] : [];
  await Promise.all(
    others
      .filter((region) => region !== lead.region)
      .map((region) => exchangeOf(env, region)!.forget(leadId)),
  );
  return true;
}

/** The statements that take a lead's person out of D1. Purchases, payments and the log stay without them. */
function leadStatements(db: Db, leadId: string, cause: Cause, now: number) {
  const purchases = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  return [
    db
      .update(leads)
      .set({
        ...erasedLead(now),
        status: sql`CASE status WHEN 'available' THEN 'withdrawn' ELSE status END`,
        listingState: sql`CASE listing_state WHEN 'private' THEN listing_state ELSE 'closed' END`,
      })
      .where(and(eq(leads.id, leadId), isNull(leads.erasedAt))),
    db.update(bookings).set(erasedBooking(now)).where(eq(bookings.leadId, leadId)),
    db
      .update(leadPurchases)
      .set({
        salesNotes: null,
        nextActionNote: null,
        notesVersion: sql`${leadPurchases.notesVersion} + 1`,
        updatedAt: now,
      })
      .where(eq(leadPurchases.leadId, leadId)),
    db.update(dudReports).set({ note: null, answer: null }).where(inArray(dudReports.purchaseId, purchases)),
    auditEntry(db, SYSTEM_ACTOR, {
      at: now,
      action: "lead.erased",
      subjectType: "lead",
      subjectId: leadId,
      after: cause,
    }),
  ] as const;
}

/** Tells the windows of whoever bought the lead; one that misses it reads the rest when it reconnects. */
async function tellBuyer(env: Env, db: Db, leadId: string): Promise<void> {
  const bought = await db
    .select({ purchaseId: leadPurchases.id, buyerId: leadPurchases.buyerId })
    .from(leadPurchases)
    .where(eq(leadPurchases.leadId, leadId));
  for (const { purchaseId, buyerId } of bought) {
    await roomOf(env, buyerId)
      .notify({ type: "purchase_changed", purchaseId, byUserId: "system" })
      .catch((error: unknown) => log("warn", "room_unreachable", { error }));
  }
}

/**
 * Takes the person out of one lead, wherever it is. Safe to repeat.
 * @returns false while somebody is paying for the lead: try again when their time is over
 * @throws an exchange's or D1's error
 */
export async function eraseLead(env: Env, lead: LeadRow, cause: Cause, now: number): Promise<boolean> {
  if (!(await eraseAtExchanges(env, lead))) return false;
  const db = database(env.DB);
  await db.batch(leadStatements(db, lead.id, cause, now));
  await tellBuyer(env, db, lead.id);
  return true;
}

async function eraseBookings(db: Db, ids: string[], cause: Cause, now: number): Promise<void> {
  for (const id of ids) {
    await db.batch([
      db.update(bookings).set(erasedBooking(now)).where(eq(bookings.id, id)),
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

/** Empties a customer's account: nobody can sign in to it, and its names are free again. */
async function eraseAccount(db: Db, id: string, cause: Cause, now: number): Promise<void> {
  await db.batch([
    db.delete(sessions).where(eq(sessions.userId, id)),
    db.delete(passwordLinks).where(eq(passwordLinks.userId, id)),
    db
      .update(users)
      .set({
        username: `erased-${id}`,
        email: null,
        phone: null,
        firstName: "Erased",
        lastName: "customer",
        passwordHash: "",
        isActive: false,
        removedAt: now,
        updatedAt: now,
      })
      .where(eq(users.id, id)),
    auditEntry(db, SYSTEM_ACTOR, {
      at: now,
      action: "user.erased",
      subjectType: "user",
      subjectId: id,
      after: cause,
    }),
  ]);
}

/** What one round of an erasure did. `waiting` leads are being paid for. */
export type ErasureRound = {
  leads: number;
  bookings: number;
  accounts: number;
  /** Accounts of providers and team members that match and were left alone. */
  accountsLeft: number;
  waiting: number;
  /** Whether another round may find more. */
  more: boolean;
};

/**
 * Erases a person: a bounded part of what names them. Repeat it while there is `more`.
 * @throws an exchange's or D1's error; what was done stays done
 */
export async function erasePerson(
  env: Env,
  person: Person,
  jobId: string,
  now: number,
): Promise<ErasureRound> {
  const db = database(env.DB);
  const cause: Cause = { reason: "request", jobId };
  const found = await findLeadsOf(db, person, BATCH);
  let waiting = 0;
  for (const lead of found) if (!(await eraseLead(env, lead, cause, now))) waiting += 1;
  const bookingIds = await findBookingsOf(db, person, BATCH);
  await eraseBookings(db, bookingIds, cause, now);
  const round = { leads: found.length - waiting, bookings: bookingIds.length, waiting };
  const more = waiting > 0 || found.length === BATCH || bookingIds.length === BATCH;
  // Accounts come last, and are counted once.
  if (more) return { ...round, accounts: 0, accountsLeft: 0, more };
  const { customers, others } = await findAccountsOf(db, person);
  for (const id of customers) await eraseAccount(db, id, cause, now);
  return { ...round, accounts: customers.length, accountsLeft: others, more };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Takes people out of requests that nobody bought and that are older than RETENTION_DAYS, a bounded
 * number at a time.
 */
export async function sweepRetention(env: Env, now: number): Promise<{ anonymised: number; failed: number }> {
  const { retentionDays } = settings(env);
  if (retentionDays === 0) return { anonymised: 0, failed: 0 };
  const db = database(env.DB);
  const old = { before: now - retentionDays * DAY_MS, limit: BATCH };
  const cause: Cause = { reason: "retention", jobId: null };
  const results = await Promise.allSettled(
    (await listUnsold(db, old)).map((lead) => eraseLead(env, lead, cause, now)),
  );
  for (const result of results)
    if (result.status === "rejected") log("warn", "retention_failed", { error: result.reason });
  const bookingIds = await listOldBookings(db, old);
  await eraseBookings(db, bookingIds, cause, now);
  const anonymised = results.filter((result) => result.status === "fulfilled" && result.value).length;
  return { anonymised: anonymised + bookingIds.length, failed: results.length - anonymised };
}
