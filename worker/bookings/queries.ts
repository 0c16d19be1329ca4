import { eq } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { bookings } from "../db/schema.ts";

export type BookingRow = typeof bookings.$inferSelect;

/** The booking of an earlier try with the same submission id. */
export async function findBookingBySubmission(db: Db, submissionId: string): Promise<BookingRow | null> {
  const [row] = await db.select().from(bookings).where(eq(bookings.submissionId, submissionId));
  return row ?? null;
}
