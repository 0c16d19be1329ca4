import { INSPECTION_IDS, INSPECTIONS, PAGE_SERVICES, SERVICES } from "../../contract/catalogue.ts";
import { CONSENT_WORDING } from "../../contract/consent.ts";
import type { FormState } from "../documents/form-state.ts";
import { useActionForm } from "../documents/use-action-form.ts";
import type { FormChallenge } from "../documents/use-challenge.ts";
import { label } from "../../contract/lead-labels.ts";
import { PROPERTY_SIZES } from "../../contract/lead-choices.ts";
import { ChallengeBox } from "../quotes/challenge-box.tsx";
import { ConsentLine } from "../quotes/consent-line.tsx";
import { FailureToast } from "../quotes/failure-toast.tsx";
import { EmailField, NameField, PhoneField } from "../quotes/person-fields.tsx";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { HowItWorksLink } from "../site/how-it-works-link.tsx";
import { HiddenFields } from "../quotes/hidden-fields.tsx";

export type BookingFormProps = FormState & {
  suburbId: string;
  /** Path of the page that handles the form. */
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

/** The message for any failed booking. */
export const BOOKING_FAILED = "Failed to submit booking. Please try again.";

/** Books a visit to a suburb. */
export default function BookingForm(props: BookingFormProps) {
  const { formProps, isSending, failure, field } = useActionForm<FormState>(props, {
    failedText: BOOKING_FAILED,
    request: { action: "booking", challenge: props.challenge },
  });
  return (
    <form className="form booking" id="book" action={`${props.action}#book`} {...formProps}>
      <HiddenFields {...props} />
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
        <button className="button button--main button--large" disabled={isSending}>
          {isSending ? "Submitting..." : "Book Now"}
        </button>
        <p className="field__hint">
          <HowItWorksLink />
        </p>
      </div>
      <FailureToast failure={failure} />
    </form>
  );
}
