import { type ComponentPropsWithRef, createContext, type ReactNode, useContext } from "react";

type FrameProps = {
  name: string;
  label: ReactNode;
  error?: string | undefined;
  hint?: ReactNode;
  /** Whether the field is required and marked with an asterisk. */
  required?: boolean | undefined;
};

/** The errors of the form around a field, by field. A field without an `error` shows its error from here. */
export const FieldErrorsContext = createContext<Readonly<Record<string, string | undefined>>>({});

export function useFieldError(name: string, error?: string): string | undefined {
  const errors = useContext(FieldErrorsContext);
  return error ?? errors[name];
}

/** Returns the attributes that link a control to its label, hint and error. Ids derive from the field's name. */
export function controlProps({ name, error, hint, required }: FrameProps) {
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(" ");
  return {
    id: name,
    name,
    required,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": describedBy || undefined,
  };
}

export function RequiredMark() {
  return (
    <span className="field__mark" aria-hidden="true">
      {"\u00a0*"}
    </span>
  );
}

/** Shows a control's error, with the id `name-error`. Renders nothing without an error. */
export function FieldError({ name, error }: Pick<FrameProps, "name" | "error">) {
  return (
    error && (
      <p className="field__error" id={`${name}-error`}>
        {error}
      </p>
    )
  );
}

export function FieldFrame({
  name,
  label,
  error,
  hint,
  required,
  optional,
  children,
}: FrameProps & {
  /** Whether to mark the field as optional. Not for a list that always has a value. */
  optional?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {required ? <RequiredMark /> : optional && <span className="field__optional"> (optional)</span>}
      </label>
      {children}
      {hint && (
        <p className="field__hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldError name={name} error={error} />
    </div>
  );
}

/**
 * Shows a text field with label, hint and error. Uncontrolled: pass a `defaultValue`.
 * @param optional whether to mark the field as optional, unless it is required
 */
export function TextField({
  label,
  error: given,
  hint,
  optional,
  ...input
}: FrameProps & { optional?: boolean } & Omit<ComponentPropsWithRef<"input">, "name" | "id" | "required">) {
  const error = useFieldError(input.name, given);
  const frame = { name: input.name, label, error, hint, required: input.required };
  return (
    <FieldFrame {...frame} optional={optional ?? input.type !== "search"}>
      <input className="input" {...input} {...controlProps(frame)} />
    </FieldFrame>
  );
}

export function TextAreaField({
  label,
  error: given,
  hint,
  ...input
}: FrameProps & Omit<ComponentPropsWithRef<"textarea">, "name" | "id" | "required">) {
  const error = useFieldError(input.name, given);
  const frame = { name: input.name, label, error, hint, required: input.required };
  return (
    <FieldFrame {...frame} optional>
      <textarea className="input" {...input} {...controlProps(frame)} />
    </FieldFrame>
  );
}

type SelectOption = { value: string; label: string };

function Options({ options }: { options: readonly SelectOption[] }) {
  return options.map((option) => (
    // Without a value attribute the label is the value. This halves the HTML of a long list of names.
    <option key={option.value} value={option.value === option.label ? undefined : option.value}>
      {option.label}
    </option>
  ));
}

/** Shows a single choice from a long list. The options may be grouped. */
export function SelectField({
  label,
  error: given,
  hint,
  options,
  ...input
}: FrameProps & {
  options: readonly (SelectOption | { label: string; options: readonly SelectOption[] })[];
} & Omit<ComponentPropsWithRef<"select">, "name" | "id" | "required">) {
  const error = useFieldError(input.name, given);
  const frame = { name: input.name, label, error, hint, required: input.required };
  return (
    <FieldFrame {...frame}>
      <select className="input" {...input} {...controlProps(frame)}>
        {options.map((option) =>
          "options" in option ? (
            <optgroup key={option.label} label={option.label}>
              <Options options={option.options} />
            </optgroup>
          ) : (
            <Options key={option.value} options={[option]} />
          ),
        )}
      </select>
    </FieldFrame>
  );
}
