import type { ClientResponse } from "hono/client";
import type { ReactNode } from "react";

import { readPage, usePages } from "../lib/use-pages.ts";
import { AdminList, type Column } from "./admin-list.tsx";
import { FilterSelect } from "./filters.tsx";
import { useUrlFilters } from "./use-url-filters.ts";

/**
 * Shows a page with one list. The URL says which rows it shows; without a choice, the first of `choices`.
 * @param list the list's name in its query key
 * @param idOf returns a row's id
 * @param empty the text for the first choice without rows
 */
export function ListPage<Row, Choice extends string>({
  title,
  intro,
  list,
  choices,
  fetchPage,
  columns,
  idOf,
  empty,
}: {
  title: string;
  intro: ReactNode;
  list: string;
  choices: readonly [{ value: Choice; label: string }, ...{ value: Choice; label: string }[]];
  fetchPage: (choice: Choice, cursor: string | undefined) => Promise<ClientResponse<Row[], number, "json">>;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  empty: string;
}) {
  const { valueOf, choose } = useUrlFilters();
  // Older links say `state`.
  const wanted = valueOf("list") || valueOf("state");
  const chosen = (choices.find(({ value }) => value === wanted) ?? choices[0]).value;
  const pages = usePages<Row>(["admin", list, chosen], (cursor) => readPage(fetchPage(chosen, cursor)));
  return (
    <>
      <header className="admin__head">
        <h1>{title}</h1>
      </header>
      <p className="admin__intro">{intro}</p>
      <div className="admin__filters">
        <FilterSelect label="Show" options={choices} value={chosen} onChange={choose("list")} />
      </div>
      <AdminList
        label={title}
        list={pages}
        columns={columns}
        idOf={idOf}
        loading={`Loading ${title.toLowerCase()}...`}
        empty={chosen === choices[0].value ? empty : "None yet."}
      />
    </>
  );
}
