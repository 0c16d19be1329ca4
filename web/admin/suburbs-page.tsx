import { useState } from "react";
import { useSearchParams } from "react-router";

import type { AdminSuburb, SuburbChange } from "../../contract/suburbs.ts";
import { regionName } from "../../contract/regions.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { AdminList, type Column } from "./admin-list.tsx";
import { FilterSelect, SearchBox } from "./filters.tsx";
import { SuburbDialog } from "./suburb-dialog.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { useAdminAction } from "./use-admin-action.ts";

export function meta() {
  return [{ title: "Suburbs | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

/** Changes a suburb. The change is public at once. */
export function useSuburbChange(suburb: AdminSuburb, onDone?: () => void) {
  return useAdminAction({
    list: "suburbs",
    act: (change: SuburbChange) =>
      unwrap(
        browserApi().api["super-admin"].suburbs[":id"].$patch({ param: { id: suburb.id }, json: change }),
      ),
    getDoneMessage: () => ({ title: "Suburb updated", description: `${suburb.name} ${suburb.postcode}` }),
    failed: "Failed to update suburb",
    ...(onDone && { onDone }),
  });
}

function SuburbActions({ suburb }: { suburb: AdminSuburb }) {
  const [isEditing, setEditing] = useState(false);
  const change = useSuburbChange(suburb);
  const name = `${suburb.name} ${suburb.postcode}`;
  return (
    <div className="list__acts">
      <Button variant="quiet" aria-label={`Edit ${name}`} onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Button
        variant="quiet"
        isBusy={change.isPending}
        aria-label={`${suburb.isActive ? "Switch off" : "Switch on"} ${name}`}
        onClick={() => change.mutate({ isActive: !suburb.isActive })}
      >
        {suburb.isActive ? "Switch off" : "Switch on"}
      </Button>
      {isEditing && <SuburbDialog suburb={suburb} onClose={() => setEditing(false)} />}
    </div>
  );
}

const COLUMNS: readonly Column<AdminSuburb>[] = [
  {
    name: "Suburb",
    cell: (suburb) => (
      <div>
        <span className="list__main">{suburb.name}</span> {suburb.postcode}
        <span className="list__sub">
          {suburb.council} · {regionName(suburb.region)}
        </span>
      </div>
    ),
  },
  {
    name: "People",
    isFigure: true,
    cell: ({ population }) => (population ? population.toLocaleString("en-AU") : "–"),
  },
  { name: "From", isFigure: true, cell: (suburb) => formatFromPrice(suburb.priceFrom) },
  {
    name: "Page",
    cell: (suburb) =>
      suburb.isActive ? (
        <span className="list__badges">
          <Badge tone="fresh">On</Badge>
          <a href={`/location/${suburb.slug}`}>View</a>
        </span>
      ) : (
        <Badge>Off</Badge>
      ),
  },
  { name: "Change", cell: (suburb) => <SuburbActions suburb={suburb} /> },
];

const ACTIVE = [
  { value: "yes", label: "With a page" },
  { value: "no", label: "Without" },
] as const;

/** Shows the suburbs: whether each has a page, its starting price and its texts. */
export default function SuburbsPage() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get("q") ?? "");
  const q = useDebounced(typed.trim(), 250);
  const active = ACTIVE.find(({ value }) => value === params.get("active"))?.value;
  const list = usePages<AdminSuburb>(["admin", "suburbs", active ?? "", q], (cursor) =>
    readPage(
      browserApi().api["super-admin"].suburbs.$get({ query: { cursor, q, ...(active && { active }) } }),
    ),
  );
  return (
    <>
      <header className="admin__head">
        <h1>Suburbs</h1>
      </header>
      <p className="admin__intro">
        If you switch a suburb off, it no longer has a page. Requests from there still reach their region.
        Changes show on the site straight away.
      </p>
      <div className="admin__filters">
        <SearchBox
          label="Find a suburb"
          placeholder="Start of the name, or postcode"
          value={typed}
          onChange={setTyped}
        />
        <FilterSelect
          label="Page"
          all="All suburbs"
          options={ACTIVE}
          value={active ?? ""}
          onChange={(value) => setParams(value ? { active: value } : {}, { replace: true })}
        />
      </div>
      <AdminList
        label="Suburbs"
        list={list}
        columns={COLUMNS}
        idOf={(suburb) => suburb.id}
        loading="Loading suburbs..."
        empty="No suburbs match."
      />
    </>
  );
}
