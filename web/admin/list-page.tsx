import type { ClientResponse } from "hono/client";
import { type ReactNode, useState } from "react";

import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { useSearch } from "../lib/use-search.ts";
import { useUrlState } from "../lib/use-url-state.ts";
import { Icon } from "../ui/icon.tsx";
import { AdminList, type Column } from "./admin-list.tsx";
import { FilterInput, FilterSelect } from "./filters.tsx";
import { LeadQueue } from "./lead-queue.tsx";

type Filter =
  | {
      label: string;
      /** The label for no filter. Without it, the first option is chosen at first. */
      all?: string;
      options: readonly { value: string; label: string }[];
    }
  | { label: string; isDay: true };
type Filters = Record<string, Filter>;

type ValueOf<One extends Filter> = One extends { options: readonly { value: infer Value }[] }
  ? Value | (One extends { all: string } ? undefined : never)
  : string | undefined;

/** The chosen value of each filter, and the text to search for. */
export type Chosen<Of extends Filters> = { [Name in keyof Of]: ValueOf<Of[Name]> } & { q: string };

/** The part of the list to fetch. */
export type ListPart = { cursor: string | undefined; limit: string };

const NO_FILTERS = {};

/** Number of rows to fetch at once. On a phone each is a card of about half a screen. */
const ROWS = "25";

/** On a phone, more filters than this are behind a button. */
const MAX_OPEN_FILTERS = 2;

/** Returns a filter's value in the URL, or its first option. Ignores values that the filter does not have. */
function readFilter(filter: Filter, value: string): string | undefined {
  if ("isDay" in filter) return startOfSydneyDay(value) === null ? undefined : value;
  const found = filter.options.find((option) => option.value === value);
  return (found ?? (filter.all ? undefined : filter.options[0]))?.value;
}

/**
 * Shows a page with one list. The URL says which rows it shows.
 * @param isPart whether it is a part of a page with a title of its own
 * @param actions content beside the title
 * @param csvOf returns the URL of a file with all rows
 * @param intro text between the title and the filters
 * @param caption returns the list's name if it is not the title; the total follows it
 * @param list the list's name in its query key
 * @param filters by their names in the URL
 * @param idOf returns a row's id
 * @param isQueue whether keys work through the rows one by one
 * @param loading text while the first rows load
 * @param empty returns the text for a list without rows
 */
export function ListPage<Row, const Of extends Filters>({
  title,
  isPart = false,
  actions,
  csvOf,
  intro,
  caption,
  list,
  search,
  filters = NO_FILTERS as Of,
  fetchPage,
  columns,
  idOf,
  isQueue = false,
  loading = `Loading ${title.toLowerCase()}...`,
  empty,
}: {
  title: string;
  isPart?: boolean;
  actions?: ReactNode;
  csvOf?: (chosen: Chosen<Of>) => string;
  intro?: ReactNode;
  caption?: (chosen: Chosen<Of>) => string;
  list: string;
  search?: { label: string; placeholder: string };
  filters?: Of;
  fetchPage: (chosen: Chosen<Of>, part: ListPart) => Promise<ClientResponse<Row[], number, "json">>;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  isQueue?: boolean;
  loading?: string;
  empty: (chosen: Chosen<Of>) => string;
}) {
  const { params, go } = useUrlState();
  const q = params.get("q") ?? "";
  const [typed, type] = useSearch(q, go);
  const values = Object.entries(filters).map(
    ([name, filter]) => [name, readFilter(filter, params.get(name) ?? "")] as const,
  );
  const chosen = { ...Object.fromEntries(values), q } as Chosen<Of>;
  const pages = usePages<Row>(["admin", list, title, chosen], (cursor) =>
    readPage(fetchPage(chosen, { cursor, limit: ROWS })),
  );
  const name = caption?.(chosen) ?? title;
  const Heading = isPart ? "h2" : "h1";
  return (
    <>
      <header className="spread">
        <Heading>{title}</Heading>
        {actions}
        {csvOf && (
          <a className="button button--quiet" href={csvOf(chosen)} download>
            Export CSV
          </a>
        )}
      </header>
      {intro && <p className="admin__intro">{intro}</p>}
      {(search || values.length > 0) && (
        <div className="cluster admin__filters">
          {search && <FilterInput type="search" {...search} value={typed} onChange={type} />}
          <FilterFields filters={filters} values={values} go={go} />
        </div>
      )}
      {caption && (
        <h2>
          {name}
          {pages.total !== null && ` (${pages.total})`}
        </h2>
      )}
      <LeadQueue ids={pages.rows?.map(idOf) ?? null} isOn={isQueue}>
        <AdminList
          label={name}
          list={pages}
          columns={columns}
          idOf={idOf}
          loading={loading}
          empty={empty(chosen)}
        />
      </LeadQueue>
    </>
  );
}

/** Shows a list's filters. On a phone many of them are behind a button with the number of filters in use. */
function FilterFields({
  filters,
  values,
  go,
}: {
  filters: Filters;
  values: readonly (readonly [name: string, value: string | undefined])[];
  go: ReturnType<typeof useUrlState>["go"];
}) {
  const [isOpen, setOpen] = useState(false);
  const folds = values.length > MAX_OPEN_FILTERS;
  const used = values.filter(([, value]) => value !== undefined);
  return (
    <>
      {folds && (
        <button
          type="button"
          className="chip admin__fold"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="sliders" size={18} /> Filters {used.length > 0 && <span>{used.length}</span>}
        </button>
      )}
      <div className="admin__choices" data-folded={(folds && !isOpen) || undefined}>
        {values.map(([name, value = ""]) => {
          const filter = filters[name]!;
          const props = {
            label: filter.label,
            value,
            onChange: (next: string) => go({ [name]: next }, true),
          };
          return "isDay" in filter ? (
            <FilterInput key={name} type="date" {...props} />
          ) : (
            <FilterSelect key={name} {...filter} {...props} />
          );
        })}
        {folds && used.length > 0 && (
          <button
            type="button"
            className="link-button"
            onClick={() => go(Object.fromEntries(used.map(([name]) => [name, null])), true)}
          >
            Clear filters
          </button>
        )}
      </div>
    </>
  );
}
