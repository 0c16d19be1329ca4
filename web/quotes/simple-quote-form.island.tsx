import { PAGE_SERVICES, type PageServiceId, SERVICES } from "../../contract/catalogue.ts";
import type { FormChallenge } from "./challenge-source.ts";
import { addressSchema, UNCLEAR_SUBURB } from "../../contract/address.ts";
import { lookUpPlace, needsSuburb } from "../addresses/look-up-place.ts";
import { AddressField } from "../addresses/address-field.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { TextAreaField } from "../ui/field.tsx";
import { ChallengeBox } from "./challenge-box.tsx";
import { ConsentLine } from "./consent-line.tsx";
import { FailureToast } from "./failure-toast.tsx";
import { NameField, PhoneField } from "./person-fields.tsx";
import type { FormState } from "./post-form.ts";
import { SEND_FAILED } from "./quote-check.ts";
import { checkSimpleQuote, readSimpleQuote } from "./simple-quote-check.ts";
import { useRequestForm } from "./use-request-form.ts";
import { HowItWorksLink } from "../site/how-it-works-link.tsx";
import { HoneypotField } from "./honeypot-field.tsx";
import type { MapsSource } from "../addresses/address-source.ts";

export type SimpleQuoteFormProps = FormState & {
  /** The page's own service; null on the page where visitors choose services. */
  service: PageServiceId | null;
  /** The page that handles the form before or without the script. */
  action: string;
  maps: MapsSource | null;
  challenge?: FormChallenge | undefined;
};

const SERVICE_OPTIONS = PAGE_SERVICES.map((value) => ({ value, label: SERVICES[value] }));

/** Shows the short quote form of the services page and of each service's page. */
export default function SimpleQuoteForm(props: SimpleQuoteFormProps) {
  const { service, values } = props;
  const { formProps, errors, sending, failure, field } = useRequestForm(props, {
    form: "simple-quote",
    action: "quote",
    path: "/api/leads",
    failedText: SEND_FAILED,
    check: (form) => checkSimpleQuote(readSimpleQuote(form), service),
    async onInvalid(form, add) {
      const values = readSimpleQuote(form);
      const { success } = addressSchema.safeParse(values.customerAddress);
      if (success && needsSuburb(await lookUpPlace(values))) add("customerAddress", UNCLEAR_SUBURB);
    },
  });
  const chosen = Array.isArray(values.servicesWanted) ? (values.servicesWanted as string[]) : [];
  return (
    <form className="form" id="quote" action={`${props.action}#quote`} {...formProps}>
      <input type="hidden" name="submissionId" value={props.submissionId ?? ""} />
      <HoneypotField startToken={props.values.startToken} />
      <NameField {...field("customerName")} />
      <PhoneField {...field("customerPhone")} />
      <AddressField
        {...field("customerAddress")}
        label="Address"
        maps={props.maps}
        suburbs={props.suburbs}
        values={values}
      />
      {service === null && (
        <ChoiceGroup
          name="servicesWanted"
          legend="What do you need?"
          type="checkbox"
          options={SERVICE_OPTIONS}
          chosen={chosen}
          required
          error={errors.servicesWanted}
        />
      )}
      <TextAreaField
        {...field("serviceNeed")}
        label={service ? "What needs doing?" : "Anything else"}
        placeholder={service ? "Describe the job" : "Gates, pets, how soon..."}
        rows={3}
        maxLength={2000}
        required={service !== null}
      />
      <ChallengeBox challenge={props.challenge} />
      <ConsentLine />
      <button className="button button--main button--large" disabled={sending}>
        {sending ? "Submitting..." : "Get Free Quote"}
      </button>
      <p className="field__hint">
        <HowItWorksLink />
      </p>
      <FailureToast failure={failure} />
    </form>
  );
}
