import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";

import { PROVIDER_GROUPS, type ProviderGroup, type ProviderRow } from "../../contract/providers.ts";
import { isLowShare } from "../../contract/standing.ts";
import { formatRate } from "../charts/format-figures.ts";
import { listHref } from "../standing/call-labels.ts";
import { Badge } from "../ui/badge.tsx";
import { AccountBadges } from "./account-badges.tsx";
import { AdminList, type Column } from "./admin-list.tsx";
import { formatDate } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { FilterSelect, SearchBox } from "./filters.tsx";
import { ProviderCell } from "./id-link.tsx";
import { NewProviderDialog } from "./new-provider-dialog.tsx";
import { ProviderActions } from "./provider-actions.tsx";
import { providerName, useProviders } from "./providers.ts";
import { PhoneNumber } from "../ui/phone-number.tsx";

export function meta() {
  return [{ title: "Manage Providers | Naturestrip" }, { name: "robots", content: "noindex" }];
}

/** Shows the share of customers called in time, with a link to the leads behind it. */
function CallsCell({ id, calls }: ProviderRow): ReactNode {
  if (!calls) return "–";
  return (
    <div>
      <Link to={`/admin/providers/${id}${listHref({ show: "counted", period: "recent" })}`}>
        {formatRate(calls.inTime / calls.counted)}
      </Link>
      <span className="list__sub">
        {calls.inTime} of {calls.counted}
      </span>
      {isLowShare(calls) && <Badge tone="hot">Low</Badge>}
    </div>
  );
}

const COLUMNS: readonly Column<ProviderRow>[] = [
  {
    name: "Provider",
    cell: (provider) => (
      <ProviderCell id={provider.id} name={providerName(provider)} sub={provider.username} />
    ),
  },
  {
    name: "Contact",
    cell: (provider) => (
      <div>
        {provider.email ? <a href={`mailto:${provider.email}`}>{provider.email}</a> : "No email"}
        {provider.phone && (
          <span className="list__sub">
            <PhoneNumber typed={provider.phone} />
          </span>
        )}
      </div>
    ),
  },
  {
    name: "Company",
    cell: (provider) => (
      <div>
        {provider.companyName || "–"}
        {provider.abn && <span className="list__sub">ABN {provider.abn}</span>}
      </div>
    ),
  },
  {
    name: "Status",
    cell: (provider) => (
      <div className="list__stack">
        <AccountBadges provider={provider} />
        <ProviderActions provider={provider} />
      </div>
    ),
  },
  { name: "Called in time", isFigure: true, cell: CallsCell },
  { name: "Joined", cell: (provider) => formatDate(provider.createdAt) },
];

/** Each group's label, above its list and in the filter. */
const GROUP_NAMES: Readonly<Record<ProviderGroup, string>> = {
  admins: "Super admins",
  unverified: "Not verified yet",
  deactivated: "Deactivated",
  stopped: "Stopped buying or calling",
  slow: "Slow to call",
  new_page: "New public page",
};
const GROUP_OPTIONS = PROVIDER_GROUPS.map((value) => ({ value, label: GROUP_NAMES[value] }));

/** Shows the providers and their permissions. The group is in the URL. */
export default function ProvidersPage() {
  const [params, setParams] = useSearchParams();
  const only = PROVIDER_GROUPS.find((group) => group === params.get("only"));
  const [typed, setTyped] = useState("");
  const [isCreating, setCreating] = useState(false);
  const list = useProviders(useDebounced(typed, 200), only);
  return (
    <>
      <header className="admin__head">
        <h1>Manage Providers</h1>
        <Button variant="main" onClick={() => setCreating(true)}>
          Add New Provider
        </Button>
      </header>
      <div className="admin__filters">
        <SearchBox
          label="Search"
          placeholder="Name, company, email or phone"
          value={typed}
          onChange={setTyped}
        />
        <FilterSelect
          label="Show"
          all="All providers"
          options={GROUP_OPTIONS}
          value={only ?? ""}
          onChange={(value) =>
            setParams(value ? { only: value } : {}, { replace: true, preventScrollReset: true })
          }
        />
      </div>
      <h2>
        {only ? GROUP_NAMES[only] : "All Providers"}
        {list.total !== null && ` (${list.total})`}
      </h2>
      <AdminList
        label={only ? GROUP_NAMES[only] : "All Providers"}
        list={list}
        columns={COLUMNS}
        idOf={(provider) => provider.id}
        loading="Loading providers..."
        empty={
          typed
            ? "No matches. Try a shorter search or show all providers."
            : only
              ? "No providers here."
              : "No providers found. Create the first one above."
        }
      />
      {isCreating && <NewProviderDialog onClose={() => setCreating(false)} />}
    </>
  );
}
