import { data, redirect, type RouterContextProvider } from "react-router";

import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { type FormState, refusal, submissionIdOf } from "../quotes/post-form.ts";
import { BOOKING_FAILED, checkBooking, readBooking } from "./booking-check.ts";

/** Answers a booking form that was posted without its island. */
export async function answerBooking({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}) {
  const form = await request.formData();
  const submissionId = submissionIdOf(form);
  const values = readBooking(form);
  const checked = checkBooking(values);
  const again = (rest: Pick<FormState, "errors" | "failure">, status: number) =>
    data({ values, submissionId, ...rest } satisfies FormState, { status });
  if (!checked.booking) return again({ errors: checked.errors, failure: null }, 400);
  try {
    await unwrap(context.get(apiContext).api.bookings.$post({ json: { ...checked.booking, submissionId } }));
  } catch (error) {
    const { status, ...rest } = refusal(error, BOOKING_FAILED.text);
    return again(rest, status);
  }
  return redirect("/success", 303);
}
