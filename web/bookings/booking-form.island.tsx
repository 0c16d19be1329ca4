import { INSPECTION_IDS, INSPECTIONS, PAGE_SERVICES, SERVICES } from "../../contract/catalogue.ts";
import { CONSENT_WORDING } from "../../contract/consent.ts";
import type { FormChallenge } from "../quotes/challenge-source.ts";
import { label } from "../../contract/lead-labels.ts";
import { PROPERTY_SIZES } from "../../contract/leads.ts";
import { ChallengeBox } from "../quotes/challenge-box.tsx";
import { ConsentLine } from "../quotes/consent-line.tsx";
import { FailureToast } from "../quotes/failure-toast.tsx";
import { EmailField, NameField, PhoneField } from "../quotes/person-fields.tsx";
import type { FormState } from "../quotes/post-form.ts";
import { useRequestForm } from "../quotes/use-request-form.ts";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { BOOKING_FAILED, checkBooking, readBooking, getThanksPath } from "./booking-check.ts";
import { HowItWorksLink } from "../site/how-it-works-link.tsx";
import { HoneypotField } from "../quotes/honeypot-field.tsx";

export type BookingFormProps = FormState & {
  suburbId: string;
  /** Path of the page that handles the form before or without the script. */
  action: string;
  challenge?: FormChallenge | undefined;
};

const SERVICE_OPTIONS = [
  { value: "", label: "Choose a service" },
  {
    label: "Lawn and garden",
    options: PAGE_SERVICES.map((value) => ({ value, label: SERVICES[value] })),
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

/** Books a visit to a suburb. Before or without the script the form posts to the suburb's page. */
export default function BookingForm(props: BookingFormProps) {
  const { formProps, sending, failure, field } = useRequestForm(props, {
    form: "booking",
    action: "booking",
    path: "/api/bookings",
    failedText: BOOKING_FAILED,
    check: (form) => checkBooking(readBooking(form)),
    thanks: getThanksPath,
  });
  return (
    <form className="form booking" id="book" action={`${props.action}#book`} {...formProps}>
      <input type="hidden" name="submissionId" value={props.submissionId ?? ""} />
      <HoneypotField startToken={props.values.startToken} />
      <input type="hidden" name="suburbId" value={props.suburbId} />
      <input type="hidden" name="consentWording" value={CONSENT_WORDING} />
      <NameField {...field("name")} />
      <PhoneField {...field("phone")} />
      <EmailField {...field("email")} required />
      <SelectField {...field("serviceType")} label="Service type" options={SERVICE_OPTIONS} required />
      <div className="booking__vehicle">
        <TextField {...field("vehicle")} label="Vehicle" placeholder="Make, model and year" maxLength={120} />
      </div>
      <div className="booking__size">
        <SelectField {...field("propertySize")} label="Property size" options={SIZE_OPTIONS} required />
      </div>
      <TextField {...field("preferredDate")} label="Preferred date" type="date" />
      <div className="booking__wide">
        <TextAreaField {...field("message")} label="Message" rows={3} maxLength={2000} />
      </div>
      <div className="booking__wide form">
        <ChallengeBox challenge={props.challenge} />
        <ConsentLine />
        <button className="button button--main button--large" disabled={sending}>
          {sending ? "Submitting..." : "Book Now"}
        </button>
        <p className="field__hint">
          <HowItWorksLink />
        </p>
      </div>
      <FailureToast failure={failure} />
    </form>
  );
}
