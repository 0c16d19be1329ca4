import { useState } from "react";

import { type AdminBadLead, BAD_LEAD_LABELS, type FreeClaimDecision } from "../../contract/bad-leads.ts";
import { photoUrl } from "../../contract/photos.ts";
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

function BadLeadActions({ report }: { report: AdminBadLead }) {
  const [decision, setDecision] = useState<FreeClaimDecision["decision"] | null>(null);
  const answer = useAdminAction({
    list: "bad-leads",
    act: (json: FreeClaimDecision) =>
      unwrap(
        browserApi().api["super-admin"]["bad-leads"][":id"].answer.$post({ param: { id: report.id }, json }),
      ),
    getDoneMessage: (json) =>
      json.decision === "granted"
        ? { title: "Bad-lead report accepted", description: `${report.businessName} has a free claim.` }
        : { title: "Bad-lead report declined", description: report.businessName },
    failed: "Couldn't send your answer",
    onDone: () => setDecision(null),
  });
  if (report.state !== "open") {
    return (
      <div>
        {report.state === "granted" ? "Accepted" : "Declined"}
        {report.answeredAt !== null && ` ${formatDateTime(report.answeredAt)}`}
        {report.answer && <span className="list__sub">“{report.answer}”</span>}
      </div>
    );
  }
  return (
    <div className="list__acts">
      <Button onClick={() => setDecision("granted")}>
        Accept<span className="visually-hidden"> the report from {report.businessName}</span>
      </Button>
      <Button variant="quiet" onClick={() => setDecision("refused")}>
        Decline<span className="visually-hidden"> the report from {report.businessName}</span>
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
              ? `${report.businessName} will get one free claim. We won't refund the lead they reported.`
              : `${report.businessName} will see your answer next to the lead.`}
          </p>
        </ConfirmActionDialog>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<AdminBadLead>[] = [
  {
    name: "Provider",
    cell: (report) => (
      <ProviderCell
        id={report.businessId}
        name={report.businessName}
        sub={`Bought ${formatDateTime(report.boughtAt)}`}
      />
    ),
  },
  {
    name: "What's wrong",
    cell: (report) => (
      <div>
        {BAD_LEAD_LABELS[report.reason] ?? report.reason}
        {report.note && <span className="list__sub">“{report.note}”</span>}
        {report.photoId && (
          <a className="list__sub" href={photoUrl(report.photoId, "large")} target="_blank" rel="noreferrer">
            Photo
          </a>
        )}
        <span className="list__sub">Reported {formatDateTime(report.createdAt)}</span>
      </div>
    ),
  },
  {
    name: "Lead",
    cell: (report) => (
      <div>
        <PersonCell
          name={report.customerName}
          phone={report.customerPhone}
          email={report.customerEmail}
          path={report.suburbName}
        />
        <IdLink id={report.leadId} log />
      </div>
    ),
  },
  { name: "Answer", cell: (report) => <BadLeadActions report={report} /> },
];

/** Shows leads that their buyers reported as bad leads. */
export default function BadLeadsPage() {
  return (
    <ListPage
      title="Bad leads"
      intro="Providers report leads that turned out to be no good. If you accept a report, they get one free claim. We don't refund the lead."
      list="bad-leads"
      choices={CHOICES}
      fetchPage={(state, cursor) =>
        browserApi().api["super-admin"]["bad-leads"].$get({ query: { cursor, state } })
      }
      columns={COLUMNS}
      idOf={(report) => report.id}
      empty="No reports are waiting."
    />
  );
}
