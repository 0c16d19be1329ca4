import type { AdminSuburb } from "../../contract/suburbs.ts";
import { regionName } from "../../contract/regions.ts";
import { adminApi } from "../lib/browser-api.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import type { Column } from "./admin-list.tsx";
import { ListPage } from "./list-page.tsx";
import { suburbChange, SuburbDialog } from "./suburb-dialog.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { ActionButton, useOpenDialog } from "./row-actions.tsx";

function SuburbActions({ suburb }: { suburb: AdminSuburb }) {
  const openDialog = useOpenDialog();
  const { name, postcode, isActive } = suburb;
  const { send, ...texts } = suburbChange(suburb);
  const toggle = {
    label: isActive ? "Switch off" : "Switch on",
    of: `${name} ${postcode}`,
    act: () => send({ isActive: !isActive }),
    ...texts,
  };
  return (
    <div className="cluster list__acts">
      <Button
        variant="quiet"
        aria-label={`Edit ${name} ${postcode}`}
        onClick={() => openDialog((onClose) => <SuburbDialog {...{ suburb, onClose }} />)}
      >
        Edit
      </Button>
      <ActionButton list="suburbs" action={toggle} />
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
        <span className="cluster gap-1">
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
export function SuburbsPart() {
  return (
    <ListPage
      title="Suburbs"
      isPart
      intro="If you switch a suburb off, it no longer has a page. Requests from there still reach their region. Changes show on the site straight away."
      list="suburbs"
      search={{ label: "Find a suburb", placeholder: "Start of the name, or postcode" }}
      filters={{ active: { label: "Page", all: "All suburbs", options: ACTIVE } }}
      fetchPage={(chosen, part) => adminApi().suburbs.$get({ query: { ...chosen, ...part } })}
      columns={COLUMNS}
      idOf={(suburb) => suburb.id}
      empty={() => "No suburbs match."}
    />
  );
}
