import { and, eq, isNotNull, isNull } from "drizzle-orm";

import { type BookingRequest, isInspection } from "../../../contract/bookings.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import type { Act } from "../../identity/audit/act.ts";
import { auditEntry } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { bookings, leads } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { unusedReference } from "../../platform/db/free-reference.ts";
import { newId } from "../../platform/ids.ts";
import { findLead } from "../queries.ts";
import { enqueue } from "../../outbox/commands.ts";
import { type LeadOrigin, newLeadRow } from "../commands.ts";
import type { Screened } from "../quarantine/commands.ts";
import { contactKeys, withoutScreening } from "../quarantine/contact-keys.ts";
import type { LeadRow } from "../rules.ts";
import { resolvePlace } from "../suburbs/queries.ts";
import { type BookingRow, findBookingBySubmission } from "./queries.ts";
import { leadRequestOf } from "./lead-request.ts";
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
