import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";

import { type AdminBooking, type BookingRequest, isInspection } from "../../../contract/bookings.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import { SIMPLE_QUOTE_DEFAULTS } from "../../../contract/simple-quotes.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { enqueue } from "../../outbox/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { bookings } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { suburbs } from "../../platform/db/suburbs.ts";
import { users } from "../../platform/db/users.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";
import { unusedReference } from "../../platform/db/unique.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { type LeadOrigin, newLeadRow } from "../commands.ts";
import type { Screened } from "../quarantine/commands.ts";
import { contactKeys, withoutScreening } from "../quarantine/contact-keys.ts";
import { findLead } from "../queries.ts";
import type { LeadRow } from "../rules.ts";
import { resolvePlace } from "../suburbs/queries.ts";
import { inspectionReceived } from "./messages.ts";

/**
 * Stores a booking and, for garden work, its lead, in one batch.
 * @param screen screens the lead's request
 * @returns the booking with its suburb's name, and the new lead for the caller to list; null without a lead
 */
export async function storeBooking(
  db: Db,
  request: BookingRequest,
  {
    screen,
    ...origin
  }: Omit<LeadOrigin, "source" | "screened"> & {
    screen: (request: LeadRequest) => Promise<Screened>;
  },
): Promise<{
  booking: BookingRow;
  newLead: LeadRow | null;
  suburbName: string | null;
  reference: string | null;
}> {
  const place = await resolvePlace(db, { suburbId: request.suburbId, address: "" });
  const suburbName = place?.name ?? null;
  const address = place ? `${place.name} NSW ${place.postcode}` : "New South Wales";
  const leadRequest = leadRequestOf(request, address);
  const screened = leadRequest && (await screen(leadRequest));
  const leadRow =
    leadRequest && screened && newLeadRow(leadRequest, { ...origin, source: "booking", screened });
  const id = newId("bkg");
  // Honeypot: only bots fill in the hidden field, and the email address may be made up.
  const isConfirmed = !leadRow && !request.homepage;
  const insertBooking = db
    .insert(bookings)
    .values({
      ...withoutScreening(request),
      vehicle: isInspection(request.serviceType) ? request.vehicle : "",
      id,
      submissionId: request.submissionId ?? null,
      reference: leadRow ? null : unusedReference(),
      suburbId: place?.id ?? null,
      leadId: leadRow?.id ?? null,
      ...contactKeys(request.phone, request.email),
      createdAt: origin.now,
    })
    .onConflictDoNothing({ target: bookings.submissionId })
    .returning();
  const [[stored], [lead = null]] = leadRow
    ? await db.batch([
        insertBooking,
        db.insert(leads).values(leadRow).onConflictDoNothing({ target: leads.submissionId }).returning(),
      ])
    : isConfirmed
      ? [
          (await db.batch([insertBooking, enqueue(db, inspectionReceived, { leadId: id }, origin.now)]))[0],
          [],
        ]
      : [await insertBooking, []];
  if (stored)
    return { booking: stored, newLead: lead, suburbName, reference: lead?.reference ?? stored.reference };
  // Nothing was stored because this submission already exists, perhaps from a concurrent request.
  const first = await findBookingBySubmission(db, request.submissionId!);
  const reference = first!.leadId ? (await findLead(db, first!.leadId))?.reference : first!.reference;
  return { booking: first!, newLead: null, suburbName, reference: reference ?? null };
}

/**
 * Marks a booking as handled or reopens it. A repeated call changes nothing and writes no audit entry.
 * @throws DomainError not_found
 */
export function markHandled(
  db: Db,
  id: string,
  handled: boolean,
  { actor, now, requestId }: Act,
): Promise<void> {
  const ofBooking = eq(bookings.id, id);
  const where = and(ofBooking, handled ? isNull(bookings.handledAt) : isNotNull(bookings.handledAt));
  return retryIfChanged(async () => {
    const [row] = await db.select({ handledAt: bookings.handledAt }).from(bookings).where(ofBooking);
    if (!row) throw new DomainError("not_found", "Booking not found");
    if ((row.handledAt !== null) === handled) return;
    await guardedBatch(db, { from: bookings, where }, [
      db
        .update(bookings)
        .set({ handledAt: handled ? now : null, handledByUserId: handled ? actor.userId : null })
        .where(ofBooking),
      auditEntry(db, actor, {
        at: now,
        action: handled ? "booking.handled" : "booking.reopened",
        subjectType: "booking",
        subjectId: id,
        before: { handled: !handled },
        after: { handled },
        requestId,
      }),
    ]);
  });
}

type BookingRow = typeof bookings.$inferSelect;

/** Returns the booking from an earlier attempt with the same submission id. */
async function findBookingBySubmission(db: Db, submissionId: string): Promise<BookingRow | null> {
  const [row] = await db.select().from(bookings).where(eq(bookings.submissionId, submissionId));
  return row ?? null;
}

/** Selects bookings with their suburb and the admin who handled them. */
function selectForAdmins(db: Db) {
  return db
    .select({
      booking: bookings,
      leadReference: leads.reference,
      suburb: suburbs.name,
      first: users.firstName,
      last: users.lastName,
    })
    .from(bookings)
    .leftJoin(leads, eq(leads.id, bookings.leadId))
    .leftJoin(suburbs, eq(suburbs.id, bookings.suburbId))
    .leftJoin(users, eq(users.id, bookings.handledByUserId));
}

type ListedRow = Awaited<ReturnType<typeof selectForAdmins>>[number];

const toAdminBooking = ({ booking, leadReference, suburb, first, last }: ListedRow): AdminBooking => ({
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
  reference: booking.reference ?? leadReference,
  handledAt: booking.handledAt,
  handledBy: first ? `${first} ${last}` : null,
  createdAt: booking.createdAt,
});

/** Admins handle inspections. Garden bookings became leads. */
type BookingKind = "inspection" | "garden";

/** SQL: a booking is of this kind. Must match the index bookings_listed. */
export const isOfKind = (kind: BookingKind) =>
  sql`(${bookings.leadId} IS NULL) = ${kind === "inspection" ? 1 : 0}`;

/** Lists bookings of one kind, newest first. */
export async function listBookings(
  db: Db,
  filter: { kind: BookingKind; open: boolean; after: After; limit: number },
): Promise<AdminBooking[]> {
  const { kind, open, after, limit } = filter;
  const rows = await selectForAdmins(db)
    .where(
      and(
        // Open inspections have their own index.
        open && kind === "inspection" ? isNull(bookings.leadId) : isOfKind(kind),
        open ? isNull(bookings.handledAt) : undefined,
        isNull(bookings.erasedAt),
        olderThan(bookings.createdAt, bookings.id, after),
      ),
    )
    .orderBy(desc(bookings.createdAt), desc(bookings.id))
    .limit(limit);
  return rows.map(toAdminBooking);
}

/** Finds the bookings with this reference, handled or open. */
export async function findBookings(db: Db, reference: string): Promise<AdminBooking[]> {
  const rows = await selectForAdmins(db).where(
    and(eq(bookings.reference, reference), isNull(bookings.erasedAt)),
  );
  return rows.map(toAdminBooking);
}

/** Formats "2026-12-01" as "1 December 2026". */
function formatDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-AU", { dateStyle: "long", timeZone: "UTC" });
}

/**
 * Returns the request for a garden booking; null for an inspection, which is never listed.
 * @param place the suburb's name and postcode, used as the address because the form does not ask for a street
 */
function leadRequestOf(booking: BookingRequest, place: string): LeadRequest | null {
  if (isInspection(booking.serviceType)) return null;
  const preferences = [
    booking.message,
    booking.preferredDate ? `Preferred date: ${formatDate(booking.preferredDate)}` : null,
  ].filter(Boolean);
  return {
    ...SIMPLE_QUOTE_DEFAULTS,
    // The prefix avoids a clash with a quote that has the same submission id.
    submissionId: booking.submissionId && `booking-${booking.submissionId}`,
    customerName: booking.name,
    customerPhone: booking.phone,
    customerEmail: booking.email,
    customerAddress: place,
    serviceType: [booking.serviceType],
    propertySize: booking.propertySize,
    additionalServices: [],
    stated: ["propertySize"],
    specificRequests: preferences.join("\n") || null,
    suburbId: booking.suburbId,
    consentWording: booking.consentWording,
    homepage: booking.homepage,
    startToken: booking.startToken,
    turnstileToken: booking.turnstileToken,
  };
}
