import { useState } from "react";

import { type AdminDud, DUD_LABELS, type FreeClaimDecision } from "../../contract/duds.ts";
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
  return [{ title: "Bad leads | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

const CHOICES = [
  { value: "open", label: "Waiting" },
  { value: "granted", label: "Accepted" },
  { value: "refused", label: "Declined" },
] as const;

function DudActions({ dud }: { dud: AdminDud }) {
  const [decision, setDecision] = useState<FreeClaimDecision["decision"] | null>(null);
  const answer = useAdminAction({
    list: "duds",
    act: (json: FreeClaimDecision) =>
      unwrap(browserApi().api["super-admin"].duds[":id"].answer.$post({ param: { id: dud.id }, json })),
    getDoneMessage: (json) =>
      json.decision === "granted"
        ? { title: "Bad-lead report accepted", description: `${dud.businessName} has a free claim.` }
        : { title: "Bad-lead report declined", description: dud.businessName },
    failed: "Couldn't send your answer",
    onDone: () => setDecision(null),
  });
  if (dud.state !== "open") {
    return (
      <div>
        {dud.state === "granted" ? "Accepted" : "Declined"}
        {dud.answeredAt !== null && ` ${formatDateTime(dud.answeredAt)}`}
        {dud.answer && <span className="list__sub">“{dud.answer}”</span>}
      </div>
    );
  }
  return (
    <div className="list__acts">
      <Button onClick={() => setDecision("granted")}>
        Accept<span className="visually-hidden"> the report from {dud.businessName}</span>
      </Button>
      <Button variant="quiet" onClick={() => setDecision("refused")}>
        Decline<span className="visually-hidden"> the report from {dud.businessName}</span>
      </Button>
      {decision && (
        <ConfirmActionDialog
          title={decision === "granted" ? "Accept this report?" : "Decline this report?"}
          reason={{ label: "Message to the provider", required: false }}
          actionLabel={decision === "granted" ? "Accept report" : "Decline report"}
          isBusy={answer.isPending}
          onConfirm={(text) => answer.mutate({ decision, answer: text || null })}
          onClose={() => setDecision(null)}
        >
          <p>
            {decision === "granted"
              ? `${dud.businessName} will get one free claim. We won't refund the lead they reported.`
              : `${dud.businessName} will see your answer next to the lead.`}
          </p>
        </ConfirmActionDialog>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<AdminDud>[] = [
  {
    name: "Provider",
    cell: (dud) => (
      <ProviderCell
        id={dud.businessId}
        name={dud.businessName}
        sub={`Bought ${formatDateTime(dud.boughtAt)}`}
      />
    ),
  },
  {
    name: "What's wrong",
    cell: (dud) => (
      <div>
        {DUD_LABELS[dud.reason] ?? dud.reason}
        {dud.note && <span className="list__sub">“{dud.note}”</span>}
        <span className="list__sub">Reported {formatDateTime(dud.createdAt)}</span>
      </div>
    ),
  },
  {
    name: "Lead",
    cell: (dud) => (
      <div>
        <PersonCell
          name={dud.customerName}
          phone={dud.customerPhone}
          email={dud.customerEmail}
          path={dud.suburbName}
        />
        <IdLink id={dud.leadId} log />
      </div>
    ),
  },
  { name: "Answer", cell: (dud) => <DudActions dud={dud} /> },
];

/** Shows leads that their buyers reported as duds. */
export default function DudsPage() {
  return (
    <ListPage
      title="Bad leads"
      intro="Providers report leads that turned out to be no good. If you accept a report, they get one free claim. We don't refund the lead."
      list="duds"
      choices={CHOICES}
      fetchPage={(state, cursor) => browserApi().api["super-admin"].duds.$get({ query: { cursor, state } })}
      columns={COLUMNS}
      idOf={(dud) => dud.id}
      empty="No reports are waiting."
    />
  );
}
