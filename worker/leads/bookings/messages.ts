import { and, eq, isNull, sql } from "drizzle-orm";

import { type InspectionId, INSPECTIONS } from "../../../contract/catalogue.ts";
import { HOUR_MS } from "../../../contract/durations.ts";
import { mailMessage, UNWANTED } from "../../outbox/message.ts";
import { hasDailyMaximum } from "../../outbox/channel-queries.ts";
import { bookings } from "../tables.ts";
import { suburbs } from "../../platform/db/suburbs.ts";
import { describeJob } from "../message-words.ts";

/** `leadId`: the booking. */
export const inspectionReceived = mailMessage({
  name: "inspection_received",
  reason: "They booked an inspection.",
  lifetimeMs: 6 * HOUR_MS,
  to: ({ leadId }: { leadId: string }, now) => {
    const recipient = sql`lower(trim(${bookings.email}))`;
    const where = and(
      eq(bookings.id, leadId),
      isNull(bookings.erasedAt),
      sql`NOT ${hasDailyMaximum(recipient, "inspection_received", now)}`,
    );
    return { channel: "email", from: sql`${bookings}`, where, recipient };
  },
  key: ({ leadId }) => leadId,
  load: async ({ db, message }) => {
    const [row] = await db
      .select({
        serviceType: bookings.serviceType,
        reference: bookings.reference,
        name: suburbs.name,
        postcode: suburbs.postcode,
      })
      .from(bookings)
      .leftJoin(suburbs, eq(suburbs.id, bookings.suburbId))
      .where(and(eq(bookings.id, message.leadId ?? ""), isNull(bookings.erasedAt)));
    if (!row) return UNWANTED;
    const services = INSPECTIONS[row.serviceType as InspectionId].toLowerCase();
    const place = row.name ? [row.name, row.postcode].filter(Boolean).join(" ") : null;
    return { inspection: { services, place }, reference: row.reference };
  },
  email: ({ inspection, reference }, { contactPhone, contactEmail }) => ({
    subject: `We've got your booking for a ${describeJob(inspection)}`,
    parts: [
      "Hello,",
      `Thanks for booking a ${describeJob(inspection)} with us. We'll call you to set a time.`,
      ...(reference ? [`Your reference is ${reference}. Please have it ready if you call us.`] : []),
      `Something not right, or it wasn't you who booked? Call us on ${contactPhone} or email ${contactEmail}, and we'll cancel it.`,
    ],
  }),
});
