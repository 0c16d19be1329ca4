import { type BookingRequest, bookingSchema, isInspection } from "../../contract/bookings.ts";
import { formToObject } from "../../contract/forms.ts";
import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";

/** What a failed booking says, whatever the reason. */
export const BOOKING_FAILED = {
  title: "Error",
  text: "Failed to submit booking. Please try again.",
} as const;

export function readBooking(form: FormData): Record<string, unknown> {
  return formToObject(form);
}

/** Checks the booking form. A vehicle counts only with an inspection. */
export function checkBooking(
  values: Record<string, unknown>,
): { booking: BookingRequest; errors: null } | { booking: null; errors: FieldErrors } {
  const result = bookingSchema.safeParse({ ...values, submissionId: undefined });
  if (!result.success) return { booking: null, errors: fieldErrors(result.error.issues) };
  const { vehicle, serviceType } = result.data;
  return { booking: { ...result.data, vehicle: isInspection(serviceType) ? vehicle : "" }, errors: null };
}
