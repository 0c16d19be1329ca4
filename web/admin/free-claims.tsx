import type { FreeClaimDecision } from "../../contract/bad-leads.ts";
import {
  type AdminGuaranteeCase,
  FREE_CLAIM_CAP,
  type GuaranteeState,
  RULE_LABELS,
} from "../../contract/guarantee.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import type { Column } from "./admin-list.tsx";
import { freeClaimActions } from "./free-claim-actions.tsx";
import { ListPage } from "./list-page.tsx";
import { RowActions } from "./row-actions.tsx";
import { leadColumn, providerColumn } from "./shared-columns.tsx";

const CHOICES = [
  { value: "open", label: "To decide" },
  { value: "granted", label: "Granted" },
  { value: "refused", label: "Refused" },
  { value: "pending", label: "Running" },
] as const;

const STATE_LABELS: Readonly<Record<GuaranteeState, string>> = {
  waiting: "Waiting for the clock",
  asked: "We've asked the customer",
  granted: "Granted",
  capped: "For you to decide",
  contested: "Contested",
  refused: "Refused",
  revoked: "Taken back",
};

function Decision({ found }: { found: AdminGuaranteeCase }) {
  const { purchaseId, state, businessName } = found;
  if (state !== "capped" && state !== "contested") {
    return (
      <div>
        {STATE_LABELS[state]} {formatDateTime(found.updatedAt)}
        {found.answer && <span className="list__sub">“{found.answer}”</span>}
      </div>
    );
  }
  const send = (json: FreeClaimDecision) =>
    unwrap(adminApi().guarantee[":id"].answer.$post({ param: { id: purchaseId }, json }));
  const text = `${businessName} will see your answer next to the lead.`;
  const actions = freeClaimActions(`a free claim to ${businessName}`, send, {
    granted: {
      label: "Grant",
      title: "Grant a free claim?",
      text,
      button: "Grant",
      done: { title: "Free claim granted", description: businessName },
    },
    refused: {
      label: "Refuse",
      title: "Refuse the free claim?",
      text,
      button: "Refuse",
      done: { title: "Free claim refused", description: businessName },
    },
  });
  return <RowActions list="guarantee" actions={actions} />;
}

const COLUMNS: readonly Column<AdminGuaranteeCase>[] = [
  providerColumn(({ boughtAt }) => `Bought ${formatDateTime(boughtAt)}`),
  {
    name: "Rule",
    cell: (found) => (
      <div>
        {RULE_LABELS[found.rule]}
        <span className="list__sub">{STATE_LABELS[found.state]}</span>
        {found.contestNote && <span className="list__sub">“{found.contestNote}”</span>}
      </div>
    ),
  },
  leadColumn(({ purchaseId }) => purchaseId),
  { name: "Decision", cell: (found) => <Decision found={found} /> },
];

/** Shows the cases of the guarantee. An admin decides those over the cap, and those that a business contests. */
export function FreeClaimsPart() {
  return (
    <ListPage
      title="Free claims"
      isPart
      intro={`Our rules grant most free claims by themselves. You decide when a provider is over ${FREE_CLAIM_CAP.share * 100}% of their leads in ${FREE_CLAIM_CAP.days} days, or contests a decision.`}
      list="guarantee"
      filters={{ list: { label: "Show", options: CHOICES } }}
      fetchPage={({ list }, part) => adminApi().guarantee.$get({ query: { ...part, list } })}
      columns={COLUMNS}
      idOf={(found) => found.purchaseId}
      empty={({ list }) => (list === "open" ? "Nothing to decide." : "None yet.")}
    />
  );
}
