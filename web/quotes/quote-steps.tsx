import { QUOTE_FORM_SERVICES, serviceName } from "../../contract/catalogue.ts";
import {
  ACCESS_KINDS,
  ADDITIONAL_SERVICES,
  BUDGET_CONCERNS,
  FREQUENCIES,
  GRASS_TYPES,
  label,
  LAWN_CONDITIONS,
  PREFERRED_TIMES,
  PREVIOUS_EXPERIENCES,
  PROPERTY_SIZES,
  PROPERTY_TYPES,
  QUOTE_DEFAULTS,
  URGENCIES,
} from "../../contract/leads.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { Choice, ChoiceGroup } from "../ui/choice-group.tsx";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import type { QuoteValues } from "./quote-check.ts";

/** What a step shows: values as last sent (or the defaults) and the errors of its fields. */
export type StepProps = { values: QuoteValues; errors: FieldErrors };

function options(values: readonly string[]) {
  return values.map((value) => ({ value, label: label(value) }));
}

const SERVICE_OPTIONS = QUOTE_FORM_SERVICES.map((value) => ({ value, label: serviceName(value) }));

function initial(values: QuoteValues, name: string): unknown {
  return values[name] ?? (QUOTE_DEFAULTS as QuoteValues)[name];
}

function text(values: QuoteValues, name: string): string {
  const value = initial(values, name);
  return typeof value === "string" ? value : "";
}

function list(values: QuoteValues, name: string): string[] {
  const value = initial(values, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Step 1: the property. */
export function PropertyStep({ values, errors }: StepProps) {
  return (
    <>
      <TextField
        name="customerAddress"
        label="Property address"
        placeholder="Enter your address"
        autoComplete="street-address"
        maxLength={200}
        required
        defaultValue={text(values, "customerAddress")}
        error={errors.customerAddress}
      />
      <ChoiceGroup
        name="propertyType"
        legend="Property type"
        type="radio"
        required
        options={options(PROPERTY_TYPES)}
        chosen={[text(values, "propertyType")]}
        error={errors.propertyType}
      />
      <ChoiceGroup
        name="propertySize"
        legend="Property size"
        type="radio"
        required
        options={options(PROPERTY_SIZES)}
        chosen={[text(values, "propertySize")]}
        error={errors.propertySize}
      />
      <div className="pair">
        <SelectField
          name="grassType"
          label="Grass type"
          options={options(GRASS_TYPES)}
          defaultValue={text(values, "grassType")}
          error={errors.grassType}
        />
        <SelectField
          name="lawnCondition"
          label="Lawn condition"
          options={options(LAWN_CONDITIONS)}
          defaultValue={text(values, "lawnCondition")}
          error={errors.lawnCondition}
        />
      </div>
      <SelectField
        name="accessRequirements"
        label="Access to the lawn"
        options={options(ACCESS_KINDS)}
        defaultValue={text(values, "accessRequirements")}
        error={errors.accessRequirements}
      />
      <div className="choices">
        <Flag name="hasSlopes" label="There are slopes" values={values} />
        <Flag name="hasPets" label="There are pets" values={values} />
      </div>
    </>
  );
}

function Flag({ name, label, values }: { name: string; label: string; values: QuoteValues }) {
  return (
    <span className="field">
      <Choice id={name} name={name} type="checkbox" label={label} checked={initial(values, name) === true} />
    </span>
  );
}

/** Step 2: the work. */
export function ServiceStep({ values, errors }: StepProps) {
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
      <ChoiceGroup
        name="urgency"
        legend="How soon?"
        type="radio"
        required
        options={options(URGENCIES)}
        chosen={[text(values, "urgency")]}
        error={errors.urgency}
      />
      <ChoiceGroup
        name="frequency"
        legend="How often?"
        type="radio"
        required
        options={options(FREQUENCIES)}
        chosen={[text(values, "frequency")]}
        error={errors.frequency}
      />
      <ChoiceGroup
        name="preferredTime"
        legend="Preferred time"
        type="radio"
        options={options(PREFERRED_TIMES)}
        chosen={[text(values, "preferredTime")]}
        error={errors.preferredTime}
      />
      <ChoiceGroup
        name="additionalServices"
        legend="Anything else?"
        type="checkbox"
        options={options(ADDITIONAL_SERVICES)}
        chosen={list(values, "additionalServices")}
        error={errors.additionalServices}
      />
      <TextAreaField
        name="specificRequests"
        label="Specific requests"
        rows={3}
        maxLength={2000}
        defaultValue={text(values, "specificRequests")}
        error={errors.specificRequests}
      />
    </>
  );
}

/** Step 3: the person. */
export function DetailsStep({ values, errors }: StepProps) {
  return (
    <>
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
        name="customerEmail"
        label="E-mail"
        type="email"
        autoComplete="email"
        maxLength={254}
        defaultValue={text(values, "customerEmail")}
        error={errors.customerEmail}
      />
      <ChoiceGroup
        name="budgetConcern"
        legend="How important is the price?"
        type="radio"
        options={options(BUDGET_CONCERNS)}
        chosen={[text(values, "budgetConcern")]}
        error={errors.budgetConcern}
      />
      <SelectField
        name="previousExperience"
        label="Have you used a lawn service before?"
        options={options(PREVIOUS_EXPERIENCES)}
        defaultValue={text(values, "previousExperience")}
        error={errors.previousExperience}
      />
    </>
  );
}
