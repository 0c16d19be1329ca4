import { type FormEvent, useRef, useState } from "react";

import { INSPECTION_IDS, INSPECTIONS, PAGE_SERVICES, SERVICES } from "../../contract/catalogue.ts";
import { label, PROPERTY_SIZES } from "../../contract/leads.ts";
import { ConsentLine } from "../quotes/consent-line.tsx";
import type { FormState } from "../quotes/post-form.ts";
import { CONSENT_WORDING } from "../quotes/quote-check.ts";
import { sendForm } from "../quotes/send-request.ts";
import { forgetSubmissionId, submissionIdFor } from "../quotes/submission-id.ts";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { Toast } from "../ui/toast.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { BOOKING_FAILED, checkBooking, readBooking } from "./booking-check.ts";

export type BookingFormProps = FormState & {
  suburbId: string;
  /** The page, which answers the form without script. */
  action: string;
};

const FORM = "booking";
const SERVICE_OPTIONS = [
  { value: "", label: "Choose a service" },
  {
    label: "Lawn and garden",
    options: PAGE_SERVICES.map((value) => ({ value, label: SERVICES[value].name })),
  },
  {
    label: "Vehicle inspections",
    options: INSPECTION_IDS.map((value) => ({ value, label: INSPECTIONS[value] })),
  },
];
const SIZE_OPTIONS = [
  { value: "", label: "Choose a size" },
  ...PROPERTY_SIZES.map((value) => ({ value, label: label(value) })),
];

/** Books a visit to a suburb. Without script it posts to the suburb's page. */
export default function BookingForm(props: BookingFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(props.errors);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState({ text: props.failure, count: 0 });
  const focusError = useErrorFocus(form, Object.keys(props.errors).length > 0);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) return;
    const checked = checkBooking(readBooking(new FormData(event.currentTarget)));
    focusError();
    setErrors(checked.errors ?? {});
    if (!checked.booking) return;
    setSending(true);
    const submissionId = submissionIdFor(FORM, props.submissionId);
    const outcome = await sendForm(
      "/api/bookings",
      { ...checked.booking, submissionId },
      BOOKING_FAILED.text,
    );
    if (outcome.sent) {
      forgetSubmissionId(FORM);
      form.current?.reset();
      return location.assign("/success");
    }
    setSending(false);
    focusError();
    setErrors(outcome.errors);
    if (outcome.failure) setFailure(({ count }) => ({ text: outcome.failure, count: count + 1 }));
  }

  /** What the field named shows: as typed before, and what is wrong with it. */
  function field(name: string) {
    const value = props.values[name];
    return { name, defaultValue: typeof value === "string" ? value : "", error: errors[name] };
  }

  return (
    <form
      className="form booking"
      id="book"
      method="post"
      action={`${props.action}#book`}
      noValidate
      ref={form}
      onSubmit={submit}
      aria-busy={sending}
    >
      <input type="hidden" name="submissionId" value={props.submissionId ?? ""} />
      <input type="hidden" name="suburbId" value={props.suburbId} />
      <input type="hidden" name="consentWording" value={CONSENT_WORDING} />
      <TextField {...field("name")} label="Name" autoComplete="name" maxLength={100} required />
      <TextField {...field("phone")} label="Phone" type="tel" autoComplete="tel" maxLength={30} required />
      <TextField
        {...field("email")}
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={254}
        required
      />
      <SelectField {...field("serviceType")} label="Service type" options={SERVICE_OPTIONS} required />
      <div className="booking__vehicle">
        <TextField {...field("vehicle")} label="Vehicle" placeholder="Make, model and year" maxLength={120} />
      </div>
      <SelectField {...field("propertySize")} label="Property size" options={SIZE_OPTIONS} required />
      <TextField {...field("preferredDate")} label="Preferred date" type="date" />
      <div className="booking__wide">
        <TextAreaField {...field("message")} label="Message" rows={4} maxLength={2000} />
      </div>
      <div className="booking__wide form">
        <ConsentLine />
        <button className="button button--main button--large" disabled={sending}>
          {sending ? "Submitting..." : "Book Now"}
        </button>
      </div>
      {failure.text && (
        <Toast key={failure.count} title={BOOKING_FAILED.title} text={failure.text} destructive />
      )}
    </form>
  );
}
