import type { RouterContextProvider } from "react-router";

import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { handleFormPost } from "../quotes/post-form.ts";
import { BOOKING_FAILED, checkBooking, readBooking, getThanksPath } from "./booking-check.ts";

/** Handles a booking form posted before or without the script. */
export async function handleBookingPost({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}) {
  return handleFormPost(request, {
    read: readBooking,
    check: checkBooking,
    send: (json) => unwrap(context.get(apiContext).api.bookings.$post({ json })),
    failedText: BOOKING_FAILED,
    thanks: getThanksPath,
  });
}
