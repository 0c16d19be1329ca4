import type { ClientResponse } from "hono/client";
import { type ReactNode, useState } from "react";

import { readPage, usePages } from "../lib/use-pages.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { AdminList, type Column } from "./admin-list.tsx";
import { FilterSelect, SearchBox } from "./filters.tsx";
import { useUrlFilters } from "./use-url-filters.ts";

type Filter = {
  label: string;
  /** The label for no filter. Without it, the first option is chosen at first. */
  all?: string;
  options: readonly { value: string; label: string }[];
};

/** The chosen value of each filter, and the text to search for. */
type Chosen<Filters extends Record<string, Filter>> = {
  [Name in keyof Filters]:
    | Filters[Name]["options"][number]["value"]
    | (Filters[Name] extends { all: string } ? undefined : never);
} & { q: string };

/**
 * Shows a page with one list. The URL says which rows it shows.
 * @param above content between the title and the filters
 * @param list the list's name in its query key
 * @param filters by their names in the URL
 * @param idOf returns a row's id
 * @param empty returns the text for a list without rows
 */
export function ListPage<Row, const Filters extends Record<string, Filter>>({
  title,
  above,
  list,
  search,
  filters,
  fetchPage,
  columns,
  idOf,
  empty,
}: {
  title: string;
  above?: ReactNode;
  list: string;
  search?: { label: string; placeholder: string };
  filters: Filters;
  fetchPage: (
    chosen: Chosen<Filters>,
    cursor: string | undefined,
  ) => Promise<ClientResponse<Row[], number, "json">>;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  empty: (chosen: Chosen<Filters>) => string;
}) {
  const { valueOf, choose } = useUrlFilters();
  const [typed, setTyped] = useState(valueOf("q"));
  const q = useDebounced(typed.trim(), 250);
  const values = Object.entries(filters).map(([name, { all, options }]) => {
    // Older links say `state` instead of `list`.
    const wanted = valueOf(name) || (name === "list" ? valueOf("state") : "");
    const found = options.find(({ value }) => value === wanted) ?? (all ? undefined : options[0]);
    return [name, found?.value] as const;
  });
  const chosen = { ...Object.fromEntries(values), q } as Chosen<Filters>;
  const pages = usePages<Row>(["admin", list, chosen], (cursor) => readPage(fetchPage(chosen, cursor)));
  return (
    <>
      <header className="admin__head">
        <h1>{title}</h1>
      </header>
      {above}
      <div className="admin__filters">
        {search && <SearchBox {...search} value={typed} onChange={setTyped} />}
        {Object.entries(filters).map(([name, filter]) => (
          <FilterSelect key={name} {...filter} value={chosen[name] ?? ""} onChange={choose(name)} />
        ))}
      </div>
      <AdminList
        label={title}
        list={pages}
        columns={columns}
        idOf={idOf}
        loading={`Loading ${title.toLowerCase()}...`}
        empty={empty(chosen)}
      />
    </>
  );
}
