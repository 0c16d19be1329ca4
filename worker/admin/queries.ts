import { and, count, desc, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";

import type { AdminBooking } from "../../contract/bookings.ts";
import type { AdminOverview } from "../../contract/admin.ts";
import type { AdminPayment } from "../../contract/payments.ts";
import type { AttentionItem } from "../../contract/attention.ts";
import { LISTING_STATES } from "../../contract/leads.ts";
import { centsToText } from "../../contract/money.ts";
import { formatCard } from "../../contract/payments.ts";
import type { Region } from "../../contract/regions.ts";

import type { Db } from "../db/client.ts";
import { type After, olderThan } from "../db/paging.ts";
import {
  attention,
  bookings,
  dudReports,
  leadPurchases,
  leads,
  payments,
  suburbs,
  users,
} from "../db/schema.ts";
import type { UserRow } from "../auth/rules.ts";
import type { LedgerRow } from "../payments/rules.ts";
import type { GivenLead } from "./lead-commands.ts";

/** A provider who may be given leads; null when there is none by that id, or they are deactivated. */
export async function findActiveProvider(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.userType, "provider"), eq(users.isActive, true)));
  return row ?? null;
}

/** A purchase of whichever business, with its lead. For super admins only: it knows no scope. */
export async function findSoldPurchase(db: Db, id: string): Promise<GivenLead | null> {
  const [row] = await db
    .select({ purchase: leadPurchases, lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(eq(leadPurchases.id, id));
  return row ?? null;
}

function firstCount(rows: { n: number }[]): number {
  return rows[0]?.n ?? 0;
}

/** How much waits for a super admin: one statement per page, each on an index or a short table. */
export async function countWaiting(db: Db): Promise<AdminOverview> {
  const [quarantined, duds, needing, visits] = await db.batch([
    db.select({ n: count() }).from(leads).where(INDEXED.quarantined),
    db.select({ n: count() }).from(dudReports).where(eq(dudReports.state, "open")),
    db.select({ n: count() }).from(attention).where(isNull(attention.resolvedAt)),
    // Garden bookings became leads; only inspections wait for a person.
    db
      .select({ n: count() })
      .from(bookings)
      .where(and(isNull(bookings.leadId), isNull(bookings.handledAt), isNull(bookings.erasedAt))),
  ]);
  return {
    quarantined: firstCount(quarantined),
    duds: firstCount(duds),
    attention: firstCount(needing),
    bookings: firstCount(visits),
  };
}

const LISTING: readonly string[] = LISTING_STATES;

/** What is on the market, waits for it or is kept off it has an index, and only for these very words. */
const INDEXED: Record<string, SQL> = {
  available: sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`,
  pending: sql`${leads.listingState} = 'pending'`,
  quarantined: sql`${leads.listingState} = 'quarantined'`,
};

/** Leads that stand at one of the contract's states. Available means on the market, not waiting for it. */
function standsAt(state: string): SQL {
  return (
    INDEXED[state] ??
    (LISTING.includes(state) ? sql`${leads.listingState} = ${state}` : sql`${leads.status} = ${state}`)
  );
}

/** Leads of every state, newest first, each with who has it. */
export async function listLeadsForAdmins(
  db: Db,
  filter: {
    state?: string | undefined;
    region?: Region | undefined;
    keys: { id?: string; phone?: string; email?: string } | null;
    after: After;
    limit: number;
  },
) {
  const { state, region, keys, after, limit } = filter;
  return db
    .select({ lead: leads, purchase: leadPurchases })
    .from(leads)
    .leftJoin(leadPurchases, and(eq(leadPurchases.leadId, leads.id), isNull(leadPurchases.removedAt)))
    .where(
      and(
        state ? standsAt(state) : undefined,
        // The words of its index.
        region ? sql`(${leads.region} || '') = ${region}` : undefined,
        keys?.id ? eq(leads.id, keys.id) : undefined,
        keys?.phone ? eq(leads.phoneKey, keys.phone) : undefined,
        keys?.email ? eq(leads.emailKey, keys.email) : undefined,
        olderThan(leads.createdAt, leads.id, after),
      ),
    )
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(limit);
}

/** Bookings, newest first. @param kind inspections wait for a person, garden work became leads */
export async function listBookings(
  db: Db,
  filter: { kind: "inspection" | "garden"; open: boolean; after: After; limit: number },
): Promise<AdminBooking[]> {
  const { kind, open, after, limit } = filter;
  const rows = await db
    .select({ booking: bookings, suburb: suburbs.name, first: users.firstName, last: users.lastName })
    .from(bookings)
    .leftJoin(suburbs, eq(suburbs.id, bookings.suburbId))
    .leftJoin(users, eq(users.id, bookings.handledByUserId))
    .where(
      and(
        kind === "inspection" ? isNull(bookings.leadId) : isNotNull(bookings.leadId),
        open ? isNull(bookings.handledAt) : undefined,
        isNull(bookings.erasedAt),
        olderThan(bookings.createdAt, bookings.id, after),
      ),
    )
    .orderBy(desc(bookings.createdAt), desc(bookings.id))
    .limit(limit);
  return rows.map(({ booking, suburb, first, last }) => ({
    id: booking.id,
    name: booking.name,
    phone: booking.phone,
    email: booking.email,
    vehicle: booking.vehicle,
    serviceType: booking.serviceType,
    propertySize: booking.propertySize,
    preferredDate: booking.preferredDate,
    message: booking.message,
    suburbName: suburb,
    leadId: booking.leadId,
    handledAt: booking.handledAt,
    handledBy: first ? `${first} ${last}` : null,
    createdAt: booking.createdAt,
  }));
}

/** The ledger, newest first. @param q a payment's, hold's or lead's id, or Stripe's id of it */
export async function listLedger(
  db: Db,
  filter: { state?: LedgerRow["state"] | undefined; q: string; after: After; limit: number },
): Promise<AdminPayment[]> {
  const { state, q, after, limit } = filter;
  const rows = await db
    .select({ payment: payments, first: users.firstName, last: users.lastName, company: users.companyName })
    .from(payments)
    .leftJoin(users, eq(users.id, payments.buyerId))
    .where(
      and(
        state ? eq(payments.state, state) : undefined,
        q
          ? or(
              eq(payments.leadId, q),
              eq(payments.holdId, q),
              eq(payments.stripePaymentIntentId, q),
              eq(payments.id, q),
            )
          : undefined,
        olderThan(payments.createdAt, payments.id, after),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit);
  return rows.map(({ payment, first, last, company }) => ({
    id: payment.id,
    holdId: payment.holdId,
    leadId: payment.leadId,
    region: payment.region,
    buyerId: payment.buyerId,
    buyerName: company || (first ? `${first} ${last}` : "Unknown provider"),
    state: payment.state,
    amount: centsToText(payment.amountCents),
    stripePaymentIntentId: payment.stripePaymentIntentId,
    card: payment.cardLast4 ? formatCard({ brand: payment.cardBrand ?? "", last4: payment.cardLast4 }) : null,
    lastError: payment.lastError,
    createdAt: payment.createdAt,
    succeededAt: payment.succeededAt,
    refundedAt: payment.refundedAt,
    refunded: payment.refundedCents > 0 ? centsToText(payment.refundedCents) : null,
  }));
}

/** What needs a person's eyes: what is open, or what was resolved, latest first. */
export function listAttention(
  db: Db,
  filter: { resolved: boolean; limit: number },
): Promise<AttentionItem[]> {
  return db
    .select()
    .from(attention)
    .where(filter.resolved ? isNotNull(attention.resolvedAt) : isNull(attention.resolvedAt))
    .orderBy(desc(filter.resolved ? attention.resolvedAt : attention.since))
    .limit(filter.limit);
}
