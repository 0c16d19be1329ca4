import { CALL_STEPS } from "../../contract/market-figures.ts";
import { adminApi } from "../lib/browser-api.ts";
import { CALL_STEP_NAMES } from "./call-steps.ts";
import { LEAD_COLUMNS } from "./lead-columns.tsx";
import { LEAD_STATES } from "./lead-state.ts";
import { ListPage } from "./list-page.tsx";
import { PauseRegionButton } from "./paused-regions.tsx";
import { REGION_OPTIONS } from "./region-select.tsx";

const FILTERS = {
  state: { label: "State", all: "Every state", options: LEAD_STATES },
  market: { label: "Show", all: "Every lead", options: [{ value: "only", label: "Market only" }] },
  region: { label: "Region", all: "Every region", options: REGION_OPTIONS },
  step: {
    label: "Step",
    all: "Every step",
    options: CALL_STEPS.map((value) => ({ value, label: CALL_STEP_NAMES[value] })),
  },
  from: { label: "Requested from", isDay: true },
  to: { label: "Requested to", isDay: true },
} as const;

/** Shows all leads with their actions. */
export default function LeadsPage() {
  return (
    <ListPage
      title="Leads"
      actions={<PauseRegionButton />}
      intro="Drop keeps a suspicious request off the market. Withdraw takes a lead off the market. You can't undo either, and no one is charged."
      list="leads"
      search={{ label: "Find a lead", placeholder: "Name, suburb, street, phone, email or ID" }}
      filters={FILTERS}
      fetchPage={(chosen, { cursor, limit }) =>
        // A search by words has only one page, so it is as long as the server allows.
        adminApi().leads.$get({ query: { ...chosen, cursor, ...(!chosen.q && { limit }) } })
      }
      columns={LEAD_COLUMNS}
      idOf={(lead) => lead.id}
      empty={() => "No leads match."}
    />
  );
}
