import type { ReactNode } from "react";

import { messageOf } from "../lib/api.ts";
import type { usePages } from "../lib/use-pages.ts";
import { Button } from "../ui/button.tsx";

export type Column<Row> = {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right. */
  isFigure?: boolean;
};

type List<Row> = ReturnType<typeof usePages<Row>>;

/** Shows rows as a table, or as cards on a phone. @param idOf returns a row's id */
export function ListTable<Row>({
  label,
  rows,
  columns,
  idOf,
  isBusy = false,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  isBusy?: boolean;
}) {
  return (
    <table className="list" aria-label={label} aria-busy={isBusy || undefined}>
      <thead>
        <tr>
          {columns.map(({ name, isFigure }) => (
            <th key={name} scope="col" className={isFigure ? "list__figure" : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ name, cell, isFigure }) => (
              <td key={name} data-label={name} className={isFigure ? "list__figure" : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Shows a list as a table, or as cards on a phone. It covers all states: loading, failed, empty, and rows with a button
 * to load more.
 * @param idOf returns a row's id
 */
export function AdminList<Row>({
  label,
  list,
  columns,
  idOf,
  loading,
  empty,
}: {
  label: string;
  list: List<Row>;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  loading: string;
  empty: ReactNode;
}) {
  const { rows, error } = list;
  if (!rows && error) {
    return (
      <div className="empty" role="alert">
        <p>
          <strong>This list didn't load.</strong> {messageOf(error, "Please check your connection.")}
        </p>
        <Button variant="quiet" onClick={list.retry}>
          Try again
        </Button>
      </div>
    );
  }
  if (!rows) return <p className="empty">{loading}</p>;
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  return (
    <>
      <ListTable label={label} rows={rows} columns={columns} idOf={idOf} isBusy={list.isUpdating} />
      {list.hasMore && (
        <p className="more">
          <Button variant="quiet" isBusy={list.isLoadingMore} onClick={list.loadMore}>
            {list.isLoadingMore ? "Loading…" : "Load more"}
          </Button>
        </p>
      )}
    </>
  );
}
