import { PAGE_SERVICES, type PageServiceId, SERVICES } from "../../contract/catalogue.ts";
import type { FormState } from "../documents/form-state.ts";
import { useActionForm } from "../documents/use-action-form.ts";
import type { FormChallenge } from "../documents/use-challenge.ts";
import { AddressField } from "../addresses/address-field.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { TextAreaField } from "../ui/field.tsx";
import { ChallengeBox } from "./challenge-box.tsx";
import { ConsentLine } from "./consent-line.tsx";
import { FailureToast, SEND_FAILED } from "./failure-toast.tsx";
import { NameField, PhoneField } from "./person-fields.tsx";
import { HowItWorksLink } from "../site/how-it-works-link.tsx";
import { HiddenFields } from "./hidden-fields.tsx";
import type { MapsSource } from "../addresses/address-source.ts";

export type SimpleQuoteFormProps = FormState & {
  /** The page's own service; null on the page where visitors choose services. */
  service: PageServiceId | null;
  /** The page that handles the form. */
  action: string;
  maps: MapsSource | null;
  challenge?: FormChallenge | undefined;
};

const SERVICE_OPTIONS = PAGE_SERVICES.map((value) => ({ value, label: SERVICES[value] }));

/** Shows the short quote form of the services page and of each service's page. */
export default function SimpleQuoteForm(props: SimpleQuoteFormProps) {
  const { service, values } = props;
  const { formProps, errors, isSending, failure, suburbs, field } = useActionForm<FormState>(props, {
    failedText: SEND_FAILED,
    request: { action: "quote", challenge: props.challenge },
  });
  const chosen = Array.isArray(values.servicesWanted) ? (values.servicesWanted as string[]) : [];
  return (
    <form className="form" id="quote" action={`${props.action}#quote`} {...formProps}>
      <HiddenFields {...props} />
      <NameField {...field("customerName")} />
      <PhoneField {...field("customerPhone")} />
      <AddressField
        {...field("customerAddress")}
        label="Address"
        maps={props.maps}
        suburbs={suburbs}
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
      <button className="button button--main button--large" disabled={isSending}>
        {isSending ? "Submitting..." : "Get Free Quote"}
      </button>
      <p className="field__hint">
        <HowItWorksLink />
      </p>
      <FailureToast failure={failure} />
    </form>
  );
}
