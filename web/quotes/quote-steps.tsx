import { QUOTE_FORM_SERVICES, serviceName } from "../../contract/catalogue.ts";
import { fieldOf, fieldsWith, type LeadField } from "../../contract/lead-fields.ts";
import { label } from "../../contract/lead-labels.ts";
import { getDefaultFrequency, QUOTE_DEFAULTS } from "../../contract/leads.ts";
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

const isFolded = (name: LeadField) => fieldOf(name).isFolded === true;
const isFlag = (name: LeadField) => fieldOf(name).ask === "flag";

type QuestionProps = {
  step: StepProps;
  /** Label of the empty option in a list. Without this label, only lists without a default get an empty option. */
  none?: string | undefined;
};

function Question({ name, step, none }: QuestionProps & { name: LeadField }) {
  const { ask, label: legend, choices = [], default: fallback, isMarked, max } = fieldOf(name);
  const options =
    name === "serviceType" ? SERVICE_OPTIONS : choices.map((value) => ({ value, label: label(value) }));
  if (ask === "text") return <TextAreaField {...field(step, name)} label={legend} rows={3} maxLength={max} />;
  if (ask === "select") {
    const noAnswer = none ?? (fallback === undefined ? "No preference" : null);
    const all = noAnswer === null ? options : [{ value: "", label: noAnswer }, ...options];
    return <SelectField {...field(step, name)} label={legend} options={all} />;
  }
  return (
    <ChoiceGroup
      name={name}
      legend={legend}
      type={ask === "boxes" ? "checkbox" : "radio"}
      required={isMarked}
      options={options}
      chosen={ask === "boxes" ? list(step.values, name) : [text(step.values, name)]}
      error={step.errors[name]}
    />
  );
}

/** Shows questions in the table's order, some side by side, and checkboxes last. */
export function LeadQuestions({ names, ...props }: QuestionProps & { names: readonly LeadField[] }) {
  const flags = names.filter(isFlag);
  return (
    <>
      {names
        .filter((name) => !isFlag(name) && !fieldOf(name).beside)
        .map((name) => {
          const pair = [name, ...names.filter((other) => fieldOf(other).beside === name)];
          const questions = pair.map((each) => <Question key={each} name={each} {...props} />);
          return pair.length === 1 ? (
            questions
          ) : (
            <div key={name} className="pair">
              {questions}
            </div>
          );
        })}
      {flags.length > 0 && (
        <div className="choices">
          {flags.map((name) => (
            <Flag key={name} name={name} values={props.step.values} />
          ))}
        </div>
      )}
    </>
  );
}

const PROPERTY = fieldsWith({ step: "property" });
const SERVICE = fieldsWith({ step: "service" });
const DETAILS = fieldsWith({ step: "details" });

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
      <LeadQuestions names={PROPERTY.filter((name) => !isFolded(name))} step={step} />
      <Fold
        step={step}
        names={PROPERTY.filter(isFolded)}
        title="Tell us more"
        hint="Grass, access, slopes and pets"
      />
    </>
  );
}

/** Shows optional questions, collapsed unless the visitor has answered one. An invalid answer counts as answered. */
function Fold({
  step,
  names,
  title,
  hint,
}: {
  step: StepProps;
  names: readonly LeadField[];
  title: string;
  hint: string;
}) {
  const isAnswered = names.some((name) => getInitialValue(step.values, name) !== getInitialValue({}, name));
  return (
    <details className="fold" aria-label={title} open={isAnswered}>
      <summary>
        <span>
          {title} <span className="field__optional">(optional)</span>
          <span className="field__hint">{hint}</span>
        </span>
        <FormIcon name="chevron" />
      </summary>
      <div className="fold__fields">
        <LeadQuestions names={names} step={step} />
      </div>
    </details>
  );
}

function Flag({ name, values }: { name: LeadField; values: QuoteValues }) {
  const { label = "" } = fieldOf(name);
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
export const ServiceStep = (step: StepProps) => <LeadQuestions names={SERVICE} step={step} />;

/** Shows step 3: the visitor's contact details. */
export function DetailsStep(step: StepProps) {
  return (
    <>
      <NameField {...field(step, "customerName")} />
      <PhoneField {...field(step, "customerPhone")} />
      <EmailField {...field(step, "customerEmail")} />
      <Fold
        step={step}
        names={DETAILS.filter(isFolded)}
        title="How to reach you"
        hint="Call, text or email"
      />
      <LeadQuestions names={DETAILS.filter((name) => !isFolded(name))} step={step} />
    </>
  );
}
