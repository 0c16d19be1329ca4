import { type BookingRequest, bookingSchema, isInspection } from "../../contract/bookings.ts";
import { formToObject } from "../../contract/forms.ts";
import { SIMPLE_QUOTE_VALUES } from "../../contract/simple-quotes.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";

/** The message of a failed booking, for every cause. */
export const BOOKING_FAILED = "Failed to submit booking. Please try again.";

export function readBooking(form: FormData): Record<string, unknown> {
  return formToObject(form);
}

/** Returns the thank-you page. Inspections are our own work, without a provider. */
export function thanksFor({ serviceType }: BookingRequest): string {
  return isInspection(serviceType) ? "/success?for=inspection" : "/success";
}

/** Checks the booking form. A vehicle counts only for an inspection, and a property's size only for other bookings. */
export function checkBooking(values: Record<string, unknown>): Checked<BookingRequest> {
  const isVehicle = isInspection(values.serviceType);
  const { propertySize } = isVehicle ? SIMPLE_QUOTE_VALUES : values;
  const checked = checkForm(bookingSchema, { ...values, propertySize, submissionId: undefined });
  if (checked.errors) return checked;
  const { vehicle, serviceType } = checked.values;
  return { values: { ...checked.values, vehicle: isInspection(serviceType) ? vehicle : "" }, errors: null };
}
