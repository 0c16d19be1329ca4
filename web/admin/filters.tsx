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

/** Shows a field that filters a list while the admin types. */
export function SearchBox({ label, placeholder, value, onChange }: FilterProps & { placeholder: string }) {
  return (
    <Filter label={label} isWide>
      {(id) => (
        <input
          id={id}
          className="input"
          type="search"
          autoComplete="off"
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
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

/** Shows a date field for a list's first or last day. Empty means no limit. */
export function FilterDay({ label, value, onChange }: FilterProps) {
  return (
    <Filter label={label}>
      {(id) => (
        <input
          id={id}
          className="input"
          type="date"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Filter>
  );
}
