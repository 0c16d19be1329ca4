import { useState } from "react";
import { useSearchParams } from "react-router";

import { type AdminDud, DUD_LABELS, DUD_STATES, type DudAnswer } from "../../contract/duds.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { Button } from "../ui/button.tsx";
import { AdminList, type Column } from "./admin-list.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { FilterSelect } from "./filters.tsx";
import { IdLink, ProviderLink } from "./id-link.tsx";
import { PersonCell } from "./person.tsx";
import { useAdminAction } from "./use-admin-action.ts";

export function meta() {
  return [{ title: "Duds | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

const STATE_OPTIONS = [
  { value: "open", label: "Waiting" },
  { value: "granted", label: "Accepted" },
  { value: "refused", label: "Declined" },
] as const;

function DudActions({ dud }: { dud: AdminDud }) {
  const [decision, setDecision] = useState<DudAnswer["decision"] | null>(null);
  const answer = useAdminAction({
    list: "duds",
    act: (json: DudAnswer) =>
      unwrap(browserApi().api["super-admin"].duds[":id"].answer.$post({ param: { id: dud.id }, json })),
    getDoneMessage: (json) =>
      json.decision === "granted"
        ? { title: "Dud report accepted", description: `${dud.businessName} has a free claim.` }
        : { title: "Dud report declined", description: dud.businessName },
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
      <div>
        <ProviderLink id={dud.businessId}>{dud.businessName}</ProviderLink>
        <span className="list__sub">Bought {formatDateTime(dud.boughtAt)}</span>
      </div>
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
  const [params, setParams] = useSearchParams();
  const state = DUD_STATES.find((known) => known === params.get("state")) ?? "open";
  const list = usePages<AdminDud>(["admin", "duds", state], (cursor) =>
    readPage(browserApi().api["super-admin"].duds.$get({ query: { cursor, state } })),
  );
  return (
    <>
      <header className="admin__head">
        <h1>Duds</h1>
      </header>
      <p className="admin__intro">
        Providers report leads that turned out to be no good. If you accept a report, they get one free claim.
        We don't refund the lead.
      </p>
      <div className="admin__filters">
        <FilterSelect
          label="Show"
          options={STATE_OPTIONS}
          value={state}
          onChange={(value) => setParams({ state: value }, { replace: true })}
        />
      </div>
      <AdminList
        label="Duds"
        list={list}
        columns={COLUMNS}
        idOf={(dud) => dud.id}
        loading="Loading reports..."
        empty={state === "open" ? "No reports are waiting." : "None yet."}
      />
    </>
  );
}
