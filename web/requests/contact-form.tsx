import { LEAD_FIELDS } from "../../contract/lead-fields.ts";
import { label, preferenceOf } from "../../contract/lead-labels.ts";
import type { CustomerRequest } from "../../contract/request-links.ts";
import { SelectField } from "../ui/field.tsx";
import type { TypedForm } from "./digits-field.tsx";

/** Value of the form's hidden field, which tells the page's action what to do. */
export const CONTACT_INTENT = "contact";

export const CONTACT_FAILED = "Please choose how and when from the lists.";

const options = (values: readonly string[]) => values.map((value) => ({ value, label: label(value) }));

/**
 * Shows how the customer wants to be reached, with a form to change it that works without a script.
 * @param typed a posted form of the page that was not saved
 */
export function ContactPreferenceForm({
  contact,
  typed,
}: {
  contact: CustomerRequest["contact"];
  typed: TypedForm | null;
}) {
  const own = typed?.intent === CONTACT_INTENT ? typed : null;
  const preference = preferenceOf(contact);
  const methods = LEAD_FIELDS.contactMethod.choices.filter(
    (method) => method !== "email" || contact.hasEmail,
  );
  return (
    <section className="request__contact" aria-labelledby="contact-title">
      <h2 id="contact-title">How to reach you</h2>
      <p>{preference ? `You prefer ${preference}.` : "You haven’t said how you’d like to be reached."}</p>
      <details open={own !== null}>
        <summary className="button button--quiet">
          {preference ? "Change" : "Choose"} how to reach you
        </summary>
        <form method="post" className="form">
          <input type="hidden" name="intent" value={CONTACT_INTENT} />
          <div className="pair">
            <SelectField
              name="contactMethod"
              label="How"
              options={[{ value: "", label: "No preference" }, ...options(methods)]}
              defaultValue={own?.contactMethod ?? contact.contactMethod ?? ""}
            />
            <SelectField
              name="contactTime"
              label="When"
              options={options(LEAD_FIELDS.contactTime.choices)}
              defaultValue={own?.contactTime ?? contact.contactTime ?? "anytime"}
            />
          </div>
          <button className="button button--quiet" type="submit">
            Save
          </button>
        </form>
      </details>
    </section>
  );
}
