import { useState } from "react";

import type { FreeClaimDecision } from "../../contract/bad-leads.ts";
import {
  type AdminGuaranteeCase,
  FREE_CLAIM_CAP,
  type GuaranteeState,
  RULE_LABELS,
} from "../../contract/guarantee.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import type { Column } from "./admin-list.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { IdLink, ProviderCell } from "./id-link.tsx";
import { ListPage } from "./list-page.tsx";
import { PersonCell } from "./person.tsx";
import { useAdminAction } from "./use-admin-action.ts";

export function meta() {
  return [{ title: "Free claims | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

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

function CaseActions({ found }: { found: AdminGuaranteeCase }) {
  const [decision, setDecision] = useState<FreeClaimDecision["decision"] | null>(null);
  const answer = useAdminAction({
    list: "guarantee",
    act: (json: FreeClaimDecision) =>
      unwrap(
        browserApi().api["super-admin"].guarantee[":id"].answer.$post({
          param: { id: found.purchaseId },
          json,
        }),
      ),
    getDoneMessage: (json) => ({
      title: json.decision === "granted" ? "Free claim granted" : "Free claim refused",
      description: found.businessName,
    }),
    failed: "Couldn't send your answer",
    onDone: () => setDecision(null),
  });
  if (found.state !== "capped" && found.state !== "contested") {
    return (
      <div>
        {STATE_LABELS[found.state]} {formatDateTime(found.updatedAt)}
        {found.answer && <span className="list__sub">“{found.answer}”</span>}
      </div>
    );
  }
  return (
    <div className="list__acts">
      <Button onClick={() => setDecision("granted")}>
        Grant<span className="visually-hidden"> a free claim to {found.businessName}</span>
      </Button>
      <Button variant="quiet" onClick={() => setDecision("refused")}>
        Refuse<span className="visually-hidden"> a free claim to {found.businessName}</span>
      </Button>
      {decision && (
        <ConfirmActionDialog
          title={decision === "granted" ? "Grant a free claim?" : "Refuse the free claim?"}
          reason={{ label: "Message to the provider", required: false }}
          actionLabel={decision === "granted" ? "Grant" : "Refuse"}
          isBusy={answer.isPending}
          onConfirm={(text) => answer.mutate({ decision, answer: text || null })}
          onClose={() => setDecision(null)}
        >
          <p>{found.businessName} will see your answer next to the lead.</p>
        </ConfirmActionDialog>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<AdminGuaranteeCase>[] = [
  {
    name: "Provider",
    cell: (found) => (
      <ProviderCell
        id={found.businessId}
        name={found.businessName}
        sub={`Bought ${formatDateTime(found.boughtAt)}`}
      />
    ),
  },
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
  {
    name: "Lead",
    cell: (found) => (
      <div>
        <PersonCell
          name={found.customerName}
          phone={found.customerPhone}
          email={found.customerEmail}
          path={found.suburbName}
        />
        <IdLink id={found.purchaseId} log />
      </div>
    ),
  },
  { name: "Decision", cell: (found) => <CaseActions found={found} /> },
];

/** Shows the cases of the guarantee. An admin decides those over the cap, and those that a business contests. */
export default function GuaranteePage() {
  return (
    <ListPage
      title="Free claims"
      intro={`Our rules grant most free claims by themselves. You decide when a provider is over ${FREE_CLAIM_CAP.share * 100}% of their leads in ${FREE_CLAIM_CAP.days} days, or contests a decision.`}
      list="guarantee"
      choices={CHOICES}
      fetchPage={(list, cursor) =>
        browserApi().api["super-admin"].guarantee.$get({ query: { cursor, list } })
      }
      columns={COLUMNS}
      idOf={(found) => found.purchaseId}
      empty="Nothing to decide."
    />
  );
}
