import { and, desc, eq, isNull, sql } from "drizzle-orm";

import type { AdminBooking } from "../../../contract/bookings.ts";
import type { Db } from "../../platform/db/client.ts";
import { type After, olderThan } from "../../platform/db/paging.ts";
import { bookings, leads, suburbs, users } from "../../platform/db/schema.ts";

export type BookingRow = typeof bookings.$inferSelect;

/** Returns the booking from an earlier attempt with the same submission id. */
export async function findBookingBySubmission(db: Db, submissionId: string): Promise<BookingRow | null> {
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
