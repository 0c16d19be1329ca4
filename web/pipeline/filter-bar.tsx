import { useId, useMemo, useState } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import { AGE_LABELS, PIPELINE_AGES, PIPELINE_SORTS, SORT_LABELS } from "../../contract/pipeline.ts";
import type { PipelineFilter } from "../../contract/pipeline-queries.ts";
import type { UrlChange } from "../lib/use-url-state.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { useTeamNames } from "../team/team.ts";
import { Icon } from "../ui/icon.tsx";
import { filterQuery, hasActiveFilter } from "./pipeline-url.ts";

type Options = readonly (readonly [value: string, label: string])[];

/** Returns the options of each filter. They include the selected one even if no purchase has it any more. */
function optionsOf(purchases: readonly PurchasedLead[], filter: PipelineFilter) {
  const services = new Set(purchases.flatMap(({ serviceType }) => serviceType));
  const suburbs = new Set(purchases.flatMap(({ suburbName }) => suburbName ?? []));
  if (filter.service) services.add(filter.service);
  if (filter.suburb) suburbs.add(filter.suburb);
  return {
    services: [...services]
      .map((id) => [id, serviceName(id)] as const)
      .toSorted((a, b) => a[1].localeCompare(b[1])),
    suburbs: [...suburbs].toSorted((a, b) => a.localeCompare(b)).map((name) => [name, name] as const),
  };
}

/** Shows the pipeline's search, filters and order. All of them are in the URL. */
export function FilterBar({
  filter,
  purchases,
  search,
  onSearch,
  go,
  onHelp,
  canExport,
  onPick,
}: {
  filter: PipelineFilter;
  purchases: readonly PurchasedLead[];
  /** The search field's text. The URL follows it after a delay. */
  search: string;
  onSearch: (text: string) => void;
  go: (change: UrlChange, shouldReplace?: boolean) => void;
  onHelp: () => void;
  canExport: boolean;
  /** Starts selecting several leads; omitted if the user can change none. */
  onPick?: (() => void) | undefined;
}) {
  const { data: team = [] } = useTeamNames();
  const [isOpen, setOpen] = useState(false);
  const options = useMemo(() => optionsOf(purchases, filter), [purchases, filter]);
  const isSorted = filter.sort !== "newest";
  const chosen = [filter.service, filter.suburb, filter.age, filter.mine, isSorted].filter(Boolean).length;
  const exportQuery = new URLSearchParams(filterQuery({ ...filter, q: search.trim() || undefined }));
  return (
    <search className="cluster gap-2 filters" aria-label="Pipeline">
      <label className="filters__search">
        <span className="visually-hidden">Search the pipeline</span>
        <Icon name="search" size={18} />
        <input
          type="search"
          className="input"
          placeholder="Name, phone, street, notes"
          autoComplete="off"
          enterKeyHint="search"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
      </label>
      <button
        type="button"
        className="chip filters__toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="sliders" size={18} /> Sort and filter {chosen > 0 && <span>{chosen}</span>}
      </button>
      <div className="cluster gap-2 filters__more" data-open={isOpen || undefined}>
        <FilterSelect
          label="Service"
          anyLabel="All services"
          value={filter.service}
          options={options.services}
          onChoose={(service) => go({ service }, true)}
        />
        <FilterSelect
          label="Suburb"
          anyLabel="All suburbs"
          value={filter.suburb}
          options={options.suburbs}
          onChoose={(suburb) => go({ suburb }, true)}
        />
        <FilterSelect
          label="Age"
          anyLabel="Any age"
          value={filter.age}
          options={PIPELINE_AGES.map((age) => [age, AGE_LABELS[age]])}
          onChoose={(age) => go({ age }, true)}
        />
        <FilterSelect
          label="Order"
          value={filter.sort}
          options={PIPELINE_SORTS.map((sort) => [sort, SORT_LABELS[sort]])}
          onChoose={(sort) => go({ sort: sort === "newest" ? null : sort }, true)}
        />
        {(team.length > 1 || filter.mine) && (
          <button
            type="button"
            className="chip"
            aria-pressed={filter.mine !== undefined}
            onClick={() => go({ mine: filter.mine ? null : "yes" }, true)}
          >
            Mine
          </button>
        )}
        {onPick && (
          <button type="button" className="link-button" onClick={onPick}>
            Select several
          </button>
        )}
        {(hasActiveFilter(filter) || search) && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              onSearch("");
              go({ service: null, suburb: null, age: null, mine: null }, true);
            }}
          >
            Clear
          </button>
        )}
        {canExport && (
          <a className="link-button filters__file" href={`/api/pipeline/export.csv?${exportQuery}`} download>
            <Icon name="download" size={18} /> CSV
          </a>
        )}
        <button
          type="button"
          className="icon-button filters__keys"
          aria-label="Keyboard shortcuts"
          onClick={onHelp}
        >
          <kbd aria-hidden="true">?</kbd>
        </button>
      </div>
    </search>
  );
}

function FilterSelect({
  label,
  anyLabel,
  value,
  options,
  onChoose,
}: {
  label: string;
  /** The label for no choice; omitted if one option is always selected. */
  anyLabel?: string;
  value: string | undefined;
  options: Options;
  onChoose: (value: string | null) => void;
}) {
  const id = useId();
  return (
    <div className="filters__choice" data-set={anyLabel !== undefined && value ? true : undefined}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <select
        id={id}
        className="input"
        value={value ?? ""}
        onChange={(event) => onChoose(event.target.value || null)}
      >
        {anyLabel && <option value="">{anyLabel}</option>}
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
