import type { RouterContextProvider } from "react-router";

import { type BookingRequest, bookingSchema, isInspection } from "../../contract/bookings.ts";
import { formToObject } from "../../contract/forms.ts";
import { SIMPLE_QUOTE_DEFAULTS } from "../../contract/simple-quotes.ts";
import { unwrap } from "../lib/api.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";
import { apiContext } from "../lib/server-context.ts";
import { handleRequestForm } from "../quotes/handle-request-form.ts";
import { BOOKING_FAILED } from "./booking-form.island.tsx";

/** Checks the booking form. It ignores the vehicle unless this is an inspection, and the property's size if it is. */
function checkBooking(values: Record<string, unknown>): Checked<BookingRequest> {
  const isVehicle = isInspection(values.serviceType);
  const { propertySize } = isVehicle ? SIMPLE_QUOTE_DEFAULTS : values;
  const checked = checkForm(bookingSchema, { ...values, propertySize, submissionId: undefined });
  if (checked.errors) return checked;
  const { vehicle, serviceType } = checked.values;
  return { values: { ...checked.values, vehicle: isInspection(serviceType) ? vehicle : "" }, errors: null };
}

/** Handles the booking form of a suburb's page. */
export async function handleBookingPost({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}) {
  return handleRequestForm(request, {
    read: (form) => formToObject(form),
    check: checkBooking,
    send: (json) => unwrap(context.get(apiContext).api.bookings.$post({ json })),
    failedText: BOOKING_FAILED,
    // Inspections are our own work, so no provider handles them.
    thanks: ({ serviceType }) => (isInspection(serviceType) ? "/success?for=inspection" : "/success"),
  });
}
