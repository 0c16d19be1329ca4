import { type ReactNode, useId } from "react";

type FilterProps = { label: string; value: string; onChange: (value: string) => void };

/** A filter's control under its label; `children` gets the control's id. */
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

/** A field that narrows a list while it is typed in. */
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

/** One of several values, or all of them. */
export function FilterSelect({
  label,
  all,
  options,
  value,
  onChange,
}: FilterProps & {
  /** Words for no filter; without them one of the options is always chosen. */
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

/** A day from which or up to which a list goes; empty for no limit. */
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
