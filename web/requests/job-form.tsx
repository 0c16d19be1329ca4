import { QUOTE_FORM_SERVICES } from "../../contract/catalogue.ts";
import { formToObject } from "../../contract/forms.ts";
import { fieldsWith } from "../../contract/lead-fields.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { requestChangeSchema } from "../../contract/request-links.ts";
import { checkForm } from "../lib/check-form.ts";
import { CHECKBOXES } from "../quotes/quote-check.ts";
import { LeadQuestions, ServiceStep } from "../quotes/quote-steps.tsx";
import { TextField } from "../ui/field.tsx";

/** The mark that replaces what a link must not reveal in the customer's text. */
export const HIDDEN = "▮▮▮";

/** Fields that start empty, because a link may be forwarded. An empty one changes nothing. */
const UNSHOWN = new Set(["customerName", "customerAddress"]);

/** Reads the posted form. An empty choice means that the customer did not say. */
export function readJob(form: FormData) {
  const typed = Object.entries(formToObject(form, CHECKBOXES));
  const values = Object.fromEntries(
    typed
      .filter(([name, value]) => value !== "" || !UNSHOWN.has(name))
      .map(([name, value]) => [name, value === "" ? null : value]),
  );
  return { values, checked: checkForm(requestChangeSchema, values) };
}

const PROPERTY = fieldsWith({ step: "property" });

/**
 * Shows the job with fields to change it, and empty fields for a new name and address. It works without a script. The
 * `action` drops the fragment of the alert's link, so that the next page opens at its top.
 * @param values the job as stored, or as last posted
 * @param place the request's suburb with its postcode
 */
export function JobForm({
  values,
  errors,
  place,
}: {
  values: Record<string, unknown>;
  errors: FieldErrors;
  place: string | null;
}) {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : "");
  // An empty string selects no option, for an answer that the customer did not give.
  const property = Object.fromEntries(PROPERTY.map((name) => [name, values[name] ?? ""]));
  const offered: readonly unknown[] = QUOTE_FORM_SERVICES;
  const services = Array.isArray(values.serviceType) ? (values.serviceType as string[]) : [];
  return (
    <form method="post" action="?" className="form request__job" noValidate>
      {services
        .filter((service) => !offered.includes(service))
        .map((service) => (
          <input key={service} type="hidden" name="serviceType" value={service} />
        ))}
      {text("specificRequests").includes(HIDDEN) && (
        <p>
          {HIDDEN} hides details that only your provider can see. If you change your notes, type them again.
        </p>
      )}
      <ServiceStep values={values} errors={errors} maps={null} />
      <LeadQuestions
        names={PROPERTY}
        step={{ values: property, errors, maps: null }}
        none="I’d rather not say"
      />
      <section className="request__who" aria-labelledby="who-title">
        <h2 id="who-title">Your name and address</h2>
        <p>
          We hide them, because someone else may have this link. Leave a field empty if nothing has changed.
        </p>
        <TextField
          name="customerName"
          label="New name"
          defaultValue={text("customerName")}
          error={errors.customerName}
          autoComplete="name"
          autoCapitalize="words"
          maxLength={100}
        />
        <TextField
          name="customerAddress"
          label="New property address"
          hint={
            place
              ? `Include the suburb, such as 12 Smith Street, ${place}.`
              : "Include the suburb and postcode."
          }
          defaultValue={text("customerAddress")}
          error={errors.customerAddress}
          autoComplete="address-line1"
          maxLength={200}
        />
      </section>
      <button className="button button--main" type="submit">
        Save Changes
      </button>
    </form>
  );
}
