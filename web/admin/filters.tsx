import { type ReactNode, useId } from "react";

type FilterProps = { label: string; value: string; onChange: (value: string) => void };

/** Shows a filter's control with its label. `children` receives the control's id. */
function Filter({
  label,
  isWide = false,
  children,
}: {
  label: string;
  isWide?: boolean;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={isWide ? "field field--wide" : "field"}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

/** Shows a field that filters a list: a search while the admin types, or its first or last day. */
export function FilterInput({
  label,
  type,
  onChange,
  ...input
}: FilterProps & { type: "search" | "date"; placeholder?: string }) {
  return (
    <Filter label={label} isWide={type === "search"}>
      {(id) => (
        <input
          id={id}
          className="input"
          type={type}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          {...input}
        />
      )}
    </Filter>
  );
}

/** Shows a choice of one value, or all of them. */
export function FilterSelect({
  label,
  all,
  options,
  value,
  onChange,
}: FilterProps & {
  /** The label for no filter. Without it, one option is always selected. */
  all?: string;
  options: readonly { value: string; label: string }[];
}) {
  return (
    <Filter label={label}>
      {(id) => (
        <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          {all && <option value="">{all}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Filter>
  );
}
