import { type ReactNode, useState } from "react";
import { Link } from "react-router";

import { PROVIDER_GROUPS, type ProviderGroup, type ProviderRow } from "../../contract/providers.ts";
import { isLowShare } from "../../contract/standing.ts";
import { formatRate } from "../charts/format-figures.ts";
import { listHref } from "../standing/call-labels.ts";
import { Badge } from "../ui/badge.tsx";
import { AccountBadges } from "./account-badges.tsx";
import type { Column } from "./admin-list.tsx";
import { browserApi } from "../lib/browser-api.ts";
import { formatDate } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { ProviderCell } from "./id-link.tsx";
import { ListPage } from "./list-page.tsx";
import { NewProviderDialog } from "./new-provider-dialog.tsx";
import { ProviderActions } from "./provider-actions.tsx";
import { providerName } from "./providers.ts";
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
      <div className="stack gap-2 list__stack">
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

function NewProviderButton() {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Button variant="main" onClick={() => setCreating(true)}>
        Add New Provider
      </Button>
      {isCreating && <NewProviderDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** Shows the providers and their permissions. */
export default function ProvidersPage() {
  return (
    <ListPage
      title="Manage Providers"
      actions={<NewProviderButton />}
      caption={({ only }) => (only ? GROUP_NAMES[only] : "All Providers")}
      list="providers"
      search={{ label: "Search", placeholder: "Name, company, email or phone" }}
      filters={{ only: { label: "Show", all: "All providers", options: GROUP_OPTIONS } }}
      fetchPage={(chosen, part) => browserApi().api.users.providers.$get({ query: { ...chosen, ...part } })}
      columns={COLUMNS}
      idOf={(provider) => provider.id}
      loading="Loading providers..."
      empty={({ q, only }) => {
        if (q) return "No matches. Try a shorter search or show all providers.";
        return only ? "No providers here." : "No providers found. Create the first one above.";
      }}
    />
  );
}
