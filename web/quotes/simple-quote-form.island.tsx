import { type FormEvent, useRef, useState } from "react";

import { PAGE_SERVICES, type PageServiceId, SERVICES } from "../../contract/catalogue.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { Toast } from "../ui/toast.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { ConsentLine } from "./consent-line.tsx";
import type { FormState } from "./post-form.ts";
import { CONSENT_WORDING, SEND_FAILED } from "./quote-check.ts";
import { sendForm } from "./send-request.ts";
import { checkSimpleQuote, readSimpleQuote } from "./simple-quote-check.ts";
import { forgetSubmissionId, submissionIdFor } from "./submission-id.ts";

export type SimpleQuoteFormProps = FormState & {
  /** The page's own service; null where services are chosen. */
  service: PageServiceId | null;
  /** The page, which answers the form without script. */
  action: string;
};

const FORM = "simple-quote";
const SERVICE_OPTIONS = PAGE_SERVICES.map((value) => ({ value, label: SERVICES[value].name }));

function text(values: Record<string, unknown>, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value : "";
}

/** The short quote form of the services page and of each service's own page. */
export default function SimpleQuoteForm(props: SimpleQuoteFormProps) {
  const { service, values } = props;
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(props.errors);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState({ text: props.failure, count: 0 });
  const focusError = useErrorFocus(form, Object.keys(props.errors).length > 0);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) return;
    const checked = checkSimpleQuote(readSimpleQuote(new FormData(event.currentTarget)), service);
    focusError();
    setErrors(checked.errors ?? {});
    if (!checked.request) return;
    setSending(true);
    const submissionId = submissionIdFor(FORM, props.submissionId);
    const body = { ...checked.request, submissionId, consentWording: CONSENT_WORDING };
    const outcome = await sendForm("/api/leads", body, SEND_FAILED.text);
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

  const chosen = Array.isArray(values.servicesWanted) ? (values.servicesWanted as string[]) : [];
  return (
    <form
      className="form"
      id="quote"
      method="post"
      action={`${props.action}#quote`}
      noValidate
      ref={form}
      onSubmit={submit}
      aria-busy={sending}
    >
      <input type="hidden" name="submissionId" value={props.submissionId ?? ""} />
      <TextField
        name="customerName"
        label="Name"
        autoComplete="name"
        maxLength={100}
        required
        defaultValue={text(values, "customerName")}
        error={errors.customerName}
      />
      <TextField
        name="customerPhone"
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={30}
        required
        defaultValue={text(values, "customerPhone")}
        error={errors.customerPhone}
      />
      <TextField
        name="customerAddress"
        label="Address"
        placeholder="Enter your address"
        autoComplete="street-address"
        maxLength={200}
        required
        defaultValue={text(values, "customerAddress")}
        error={errors.customerAddress}
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
        name="serviceNeed"
        label={service ? "What needs doing?" : "Anything else"}
        placeholder={service ? "Tell us about the job (optional)" : "Gates, pets, how soon..."}
        rows={3}
        maxLength={2000}
        required={service !== null}
        defaultValue={text(values, "serviceNeed")}
        error={errors.serviceNeed}
      />
      <ConsentLine />
      <button className="button button--main button--large" disabled={sending}>
        {sending ? "Submitting..." : "Get Free Quote"}
      </button>
      {failure.text && (
        <Toast key={failure.count} title={SEND_FAILED.title} text={failure.text} destructive />
      )}
    </form>
  );
}
