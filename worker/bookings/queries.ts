import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";

import type { AdminBooking } from "../../contract/bookings.ts";
import type { Db } from "../db/client.ts";
import { type After, olderThan } from "../db/paging.ts";
import { bookings, suburbs, users } from "../db/schema.ts";

export type BookingRow = typeof bookings.$inferSelect;

/** The booking of an earlier try with the same submission id. */
export async function findBookingBySubmission(db: Db, submissionId: string): Promise<BookingRow | null> {
  const [row] = await db.select().from(bookings).where(eq(bookings.submissionId, submissionId));
  return row ?? null;
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
