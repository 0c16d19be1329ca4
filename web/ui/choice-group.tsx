import type { ReactNode } from "react";

import { FieldError, RequiredMark, useFieldError } from "./field.tsx";
import { FormIcon } from "./icon.tsx";

/**
 * Shows radio buttons or checkboxes as large touch targets. Uncontrolled.
 * @param chosen the values that are checked initially
 */
export function ChoiceGroup({
  name,
  legend,
  type,
  options,
  chosen,
  required,
  error: given,
}: {
  name: string;
  legend: ReactNode;
  type: "radio" | "checkbox";
  options: readonly { value: string; label: string; mark?: ReactNode }[];
  chosen: readonly string[];
  required?: boolean;
  error?: string | undefined;
}) {
  const error = useFieldError(name, given);
  return (
    <fieldset
      id={error ? name : undefined}
      className="field"
      role={type === "radio" ? "radiogroup" : undefined}
      aria-describedby={error ? `${name}-error` : undefined}
      data-invalid={error ? "" : undefined}
    >
      <legend>
        {legend}
        {required && <RequiredMark />}
      </legend>
      <div className="choices">
        {options.map((option) => (
          <Choice
            key={option.value}
            id={`${name}-${option.value.replaceAll(" ", "-")}`}
            name={name}
            type={type}
            value={option.value}
            label={option.label}
            mark={option.mark}
            checked={chosen.includes(option.value)}
          />
        ))}
      </div>
      <FieldError name={name} error={error} />
    </fieldset>
  );
}

/** Shows a label and keeps figures in brackets, such as "(300-600m²)", on one line. */
function ChoiceLabel({ label }: { label: string }) {
  const start = label.indexOf("(");
  if (start < 0) return label;
  return (
    <span>
      {label.slice(0, start)}
      <span className="choice__figures">{label.slice(start)}</span>
    </span>
  );
}

/** Shows one radio button or checkbox that looks like a button. */
export function Choice({
  id,
  name,
  type,
  value,
  label,
  mark,
  checked,
}: {
  id: string;
  name: string;
  type: "radio" | "checkbox";
  /** Value submitted when checked; "on" if omitted. */
  value?: string;
  label: string;
  /** A decoration before the label. */
  mark?: ReactNode;
  checked: boolean;
}) {
  return (
    <span className="choice">
      <input type={type} id={id} name={name} value={value} defaultChecked={checked} />
      <label htmlFor={id}>
        <span className="choice__tick">
          <FormIcon name="check" size={14} />
        </span>
        {mark}
        <ChoiceLabel label={label} />
      </label>
    </span>
  );
}
