import { type BookingRequest, isInspection } from "../../contract/bookings.ts";
import type { LeadRequest } from "../../contract/leads.ts";
import type { Db } from "../db/client.ts";
import { bookings, leads } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { type LeadOrigin, newLeadRow } from "../leads/commands.ts";
import { markText, type Screened } from "../quarantine/commands.ts";
import { contactKeys, withoutScreening } from "../quarantine/rules.ts";
import type { LeadRow } from "../leads/rules.ts";
import { resolvePlace } from "../suburbs/queries.ts";
import { type BookingRow, findBookingBySubmission } from "./queries.ts";
import { leadRequestOf } from "./rules.ts";

/**
 * Stores a booking and, for garden work, the lead it becomes, in one batch.
 * @param screen looks the lead's request over
 * @returns the booking, and the new lead that still has to be put on the market; null when there is none
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
): Promise<{ booking: BookingRow; newLead: LeadRow | null }> {
  const place = await resolvePlace(db, { suburbId: request.suburbId, address: "" });
  const address = place ? `${place.name} NSW ${place.postcode}` : "New South Wales";
  const leadRequest = leadRequestOf(request, address);
  const screened = leadRequest && (await screen(leadRequest));
  const leadRow =
    leadRequest && screened && newLeadRow(leadRequest, { ...origin, source: "booking", screened });
  const insertBooking = db
    .insert(bookings)
    .values({
      ...withoutScreening(request),
      vehicle: isInspection(request.serviceType) ? request.vehicle : "",
      id: newId("bkg"),
      submissionId: request.submissionId ?? null,
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
        markText(db, leadRow.id, screened!.marks, origin.now),
      ])
    : [await insertBooking, []];
  if (stored) return { booking: stored, newLead: lead };
  // Nothing stored: the same submission came twice, perhaps at the same moment.
  const first = await findBookingBySubmission(db, request.submissionId!);
  return { booking: first!, newLead: null };
}
