import { type BookingRequest, bookingSchema, isInspection } from "../../contract/bookings.ts";
import { formToObject } from "../../contract/forms.ts";
import { fieldErrors } from "../../contract/problem.ts";
import type { Checked } from "../quotes/post-form.ts";

/** What a failed booking says, whatever the reason. */
export const BOOKING_FAILED = "Failed to submit booking. Please try again.";

export function readBooking(form: FormData): Record<string, unknown> {
  return formToObject(form);
}

/** Checks the booking form. A vehicle counts only with an inspection. */
export function checkBooking(values: Record<string, unknown>): Checked<BookingRequest> {
  const result = bookingSchema.safeParse({ ...values, submissionId: undefined });
  if (!result.success) return { request: null, errors: fieldErrors(result.error.issues) };
  const { vehicle, serviceType } = result.data;
  return { request: { ...result.data, vehicle: isInspection(serviceType) ? vehicle : "" }, errors: null };
}
