import { type BookingRequest, bookingSchema, isInspection } from "../../contract/bookings.ts";
import { formToObject } from "../../contract/forms.ts";
import { SIMPLE_QUOTE_DEFAULTS } from "../../contract/simple-quotes.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";

/** The message for any failed booking. */
export const BOOKING_FAILED = "Failed to submit booking. Please try again.";

export function readBooking(form: FormData): Record<string, unknown> {
  return formToObject(form);
}

/** Returns the path of the thank-you page. Inspections are our own work, so no provider handles them. */
export function getThanksPath({ serviceType }: BookingRequest): string {
  return isInspection(serviceType) ? "/success?for=inspection" : "/success";
}

/** Checks the booking form. It ignores the vehicle unless this is an inspection, and the property's size if it is. */
export function checkBooking(values: Record<string, unknown>): Checked<BookingRequest> {
  const isVehicle = isInspection(values.serviceType);
  const { propertySize } = isVehicle ? SIMPLE_QUOTE_DEFAULTS : values;
  const checked = checkForm(bookingSchema, { ...values, propertySize, submissionId: undefined });
  if (checked.errors) return checked;
  const { vehicle, serviceType } = checked.values;
  return { values: { ...checked.values, vehicle: isInspection(serviceType) ? vehicle : "" }, errors: null };
}
