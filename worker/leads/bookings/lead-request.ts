import { type BookingRequest, isInspection } from "../../../contract/bookings.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import { SIMPLE_QUOTE_DEFAULTS } from "../../../contract/simple-quotes.ts";

/** Formats "2026-12-01" as "1 December 2026". */
function formatDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-AU", { dateStyle: "long", timeZone: "UTC" });
}

/**
 * Returns the request for a garden booking; null for an inspection, which is never listed.
 * @param place the suburb's name and postcode, used as the address because the form does not ask for a street
 */
export function leadRequestOf(booking: BookingRequest, place: string): LeadRequest | null {
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
