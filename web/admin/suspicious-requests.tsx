import { adminApi } from "../lib/browser-api.ts";
import { LEAD_COLUMNS } from "./lead-columns.tsx";
import { ListPage } from "./list-page.tsx";

/** Shows the requests that look odd. They wait until an admin releases or drops them. */
export function SuspiciousRequests() {
  return (
    <ListPage
      title="Suspicious requests"
      isPart
      intro="Drop keeps a suspicious request off the market. You can't undo it, and no one is charged."
      list="leads"
      isQueue
      fetchPage={(_, part) => adminApi().leads.$get({ query: { ...part, state: "quarantined" } })}
      columns={LEAD_COLUMNS}
      idOf={(lead) => lead.id}
      empty={() => "Nothing suspicious is waiting. Requests that look odd wait here until you decide."}
    />
  );
}
