import { type BookingRequest, isInspection } from "../../../contract/bookings.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import { SIMPLE_QUOTE_VALUES } from "../../../contract/simple-quotes.ts";

/** "2026-12-01" as "1 December 2026": providers read it among the customer's own sentences. */
function formatDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-AU", { dateStyle: "long", timeZone: "UTC" });
}

/**
 * The request a garden booking stands for; null for an inspection, which is never put on the market.
 * @param place the suburb's name and postcode, as an address; the form asks for no street
 */
export function leadRequestOf(booking: BookingRequest, place: string): LeadRequest | null {
  if (isInspection(booking.serviceType)) return null;
  const wishes = [
    booking.message,
    booking.preferredDate ? `Preferred date: ${formatDate(booking.preferredDate)}` : null,
  ].filter(Boolean);
  return {
    ...SIMPLE_QUOTE_VALUES,
    // An id of its own space: the same one may already have been used for a quote.
    submissionId: booking.submissionId && `booking-${booking.submissionId}`,
    customerName: booking.name,
    customerPhone: booking.phone,
    customerEmail: booking.email,
    customerAddress: place,
    serviceType: [booking.serviceType],
    propertySize: booking.propertySize,
    additionalServices: [],
    specificRequests: wishes.join("\n") || null,
    suburbId: booking.suburbId,
    consentWording: booking.consentWording,
    homepage: booking.homepage,
    startToken: booking.startToken,
    turnstileToken: booking.turnstileToken,
  };
}
