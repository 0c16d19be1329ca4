import type { ReactNode } from "react";

import { QUOTE_FORM_SERVICES, serviceName } from "../../contract/catalogue.ts";
import { label } from "../../contract/lead-labels.ts";
import {
  ACCESS_KINDS,
  ADDITIONAL_SERVICES,
  BUDGET_CONCERNS,
  CONTACT_METHODS,
  CONTACT_TIMES,
  FREQUENCIES,
  getDefaultFrequency,
  GRASS_TYPES,
  LAWN_CONDITIONS,
  PREFERRED_TIMES,
  PREVIOUS_EXPERIENCES,
  PROPERTY_SIZES,
  PROPERTY_TYPES,
  QUOTE_DEFAULTS,
  URGENCIES,
} from "../../contract/leads.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";
import { Choice, ChoiceGroup } from "../ui/choice-group.tsx";
import { FormIcon } from "../ui/icon.tsx";
import { AddressField } from "../addresses/address-field.tsx";
import { SelectField, TextAreaField } from "../ui/field.tsx";
import { EmailField, type FieldState, NameField, PhoneField } from "./person-fields.tsx";
import type { QuoteValues } from "./quote-check.ts";
import type { MapsSource } from "../addresses/address-source.ts";

/** A step's values as last sent (or the defaults), and its fields' errors. */
export type StepProps = {
  values: QuoteValues;
  errors: FieldErrors;
  maps: MapsSource | null;
  suburbs?: readonly SuburbSuggestion[] | undefined;
};

function options(values: readonly string[]) {
  return values.map((value) => ({ value, label: label(value) }));
}

const SERVICE_OPTIONS = QUOTE_FORM_SERVICES.map((value) => ({ value, label: serviceName(value) }));

function getInitialValue(values: QuoteValues, name: string): unknown {
  if (name === "frequency") return values.frequency ?? getDefaultFrequency(list(values, "serviceType"));
  return values[name] ?? (QUOTE_DEFAULTS as QuoteValues)[name];
}

/** Returns a text field's value. A posted form has a text or nothing for each. */
const text = (values: QuoteValues, name: string) => (getInitialValue(values, name) ?? "") as string;

/** Returns a list's value. A posted form has a list of texts for each, and each list has a default. */
const list = (values: QuoteValues, name: string) => getInitialValue(values, name) as string[];

/** Returns the state of a text or list field. */
function field({ values, errors }: StepProps, name: string): FieldState {
  return { name, defaultValue: text(values, name), error: errors[name] };
}

/** Returns the props of a group of radio buttons for a contract's list. */
function choice({ values, errors }: StepProps, name: string, of: readonly string[]) {
  return {
    name,
    type: "radio" as const,
    options: options(of),
    chosen: [text(values, name)],
    error: errors[name],
  };
}

/** Shows step 1: the property. */
export function PropertyStep(step: StepProps) {
  return (
    <>
      <AddressField
        {...field(step, "customerAddress")}
        label="Property address"
        maps={step.maps}
        suburbs={step.suburbs}
        values={step.values}
      />
      <ChoiceGroup {...choice(step, "propertyType", PROPERTY_TYPES)} legend="Property type" required />
      <ChoiceGroup {...choice(step, "propertySize", PROPERTY_SIZES)} legend="Property size" required />
      <MoreAboutProperty {...step} />
    </>
  );
}

/** Optional questions of step 1. Most visitors keep the defaults. */
const MORE = ["grassType", "lawnCondition", "accessRequirements", "hasSlopes", "hasPets"] as const;

function MoreAboutProperty(step: StepProps) {
  return (
    <Fold values={step.values} names={MORE} title="Tell us more" hint="Grass, access, slopes and pets">
      <div className="pair">
        <SelectField {...field(step, "grassType")} label="Grass type" options={options(GRASS_TYPES)} />
        <SelectField
          {...field(step, "lawnCondition")}
          label="Lawn condition"
          options={options(LAWN_CONDITIONS)}
        />
      </div>
      <SelectField
        {...field(step, "accessRequirements")}
        label="Access to the lawn"
        options={options(ACCESS_KINDS)}
      />
      <div className="choices">
        <Flag name="hasSlopes" label="Sloping block" values={step.values} />
        <Flag name="hasPets" label="Pets at home" values={step.values} />
      </div>
    </Fold>
  );
}

/** Shows optional questions, collapsed unless the visitor has answered one. An invalid answer counts as answered. */
function Fold({
  values,
  names,
  title,
  hint,
  children,
}: {
  values: QuoteValues;
  names: readonly string[];
  title: string;
  hint: string;
  children: ReactNode;
}) {
  const isAnswered = names.some((name) => getInitialValue(values, name) !== getInitialValue({}, name));
  return (
    <details className="fold" aria-label={title} open={isAnswered}>
      <summary>
        <span>
          {title} <span className="field__optional">(optional)</span>
          <span className="field__hint">{hint}</span>
        </span>
        <FormIcon name="chevron" />
      </summary>
      <div className="fold__fields">{children}</div>
    </details>
  );
}

function Flag({ name, label, values }: { name: string; label: string; values: QuoteValues }) {
  return (
    <span className="field">
      <Choice
        id={name}
        name={name}
        type="checkbox"
        label={label}
        checked={getInitialValue(values, name) === true}
      />
    </span>
  );
}

/** Shows step 2: the services. */
export function ServiceStep(step: StepProps) {
  const { values, errors } = step;
  return (
    <>
      <ChoiceGroup
        name="serviceType"
        legend="Services"
        type="checkbox"
        required
        options={SERVICE_OPTIONS}
        chosen={list(values, "serviceType")}
        error={errors.serviceType}
      />
      <ChoiceGroup {...choice(step, "urgency", URGENCIES)} legend="How soon?" required />
      <ChoiceGroup {...choice(step, "frequency", FREQUENCIES)} legend="How often?" required />
      <ChoiceGroup {...choice(step, "preferredTime", PREFERRED_TIMES)} legend="Preferred time" />
      <ChoiceGroup
        name="additionalServices"
        legend="Anything else?"
        type="checkbox"
        options={options(ADDITIONAL_SERVICES)}
        chosen={list(values, "additionalServices")}
        error={errors.additionalServices}
      />
      <TextAreaField
        {...field(step, "specificRequests")}
        label="Specific requests"
        rows={3}
        maxLength={2000}
      />
    </>
  );
}

/** Shows step 3: the visitor's contact details. */
export function DetailsStep(step: StepProps) {
  return (
    <>
      <NameField {...field(step, "customerName")} />
      <PhoneField {...field(step, "customerPhone")} />
      <EmailField {...field(step, "customerEmail")} />
      <ContactPreference {...step} />
      <ChoiceGroup {...choice(step, "budgetConcern", BUDGET_CONCERNS)} legend="How important is price?" />
      <SelectField
        {...field(step, "previousExperience")}
        label="Have you used a lawn service before?"
        options={options(PREVIOUS_EXPERIENCES)}
      />
    </>
  );
}

const METHOD_OPTIONS = [{ value: "", label: "No preference" }, ...options(CONTACT_METHODS)];

/** Asks how and when the provider should get in touch. */
function ContactPreference(step: StepProps) {
  return (
    <Fold
      values={step.values}
      names={["contactMethod", "contactTime"]}
      title="How to reach you"
      hint="Call, text or email"
    >
      <div className="pair">
        <SelectField {...field(step, "contactMethod")} label="How" options={METHOD_OPTIONS} />
        <SelectField {...field(step, "contactTime")} label="When" options={options(CONTACT_TIMES)} />
      </div>
    </Fold>
  );
}
