import { type AdminBadLead, BAD_LEAD_LABELS, type FreeClaimDecision } from "../../contract/bad-leads.ts";
import { photoUrl } from "../../contract/photos.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import type { Column } from "./admin-list.tsx";
import { freeClaimActions } from "./free-claim-actions.tsx";
import { ListPage } from "./list-page.tsx";
import { RowActions } from "./row-actions.tsx";
import { leadColumn, providerColumn } from "./shared-columns.tsx";

const CHOICES = [
  { value: "open", label: "Waiting" },
  { value: "granted", label: "Accepted" },
  { value: "refused", label: "Declined" },
] as const;

function Answer({ report }: { report: AdminBadLead }) {
  const { id, state, decidedAt, businessName } = report;
  if (state !== "open") {
    return (
      <div>
        {state === "granted" ? "Accepted" : "Declined"}
        {decidedAt !== null && ` ${formatDateTime(decidedAt)}`}
        {report.answer && <span className="list__sub">“{report.answer}”</span>}
      </div>
    );
  }
  const send = (json: FreeClaimDecision) =>
    unwrap(adminApi()["bad-leads"][":id"].answer.$post({ param: { id }, json }));
  const actions = freeClaimActions(`the report from ${businessName}`, send, {
    granted: {
      label: "Accept",
      title: "Accept this report?",
      text: `${businessName} will get one free claim. We won't refund the lead they reported.`,
      button: "Accept report",
      done: { title: "Bad-lead report accepted", description: `${businessName} has a free claim.` },
    },
    refused: {
      label: "Decline",
      title: "Decline this report?",
      text: `${businessName} will see your answer next to the lead.`,
      button: "Decline report",
      done: { title: "Bad-lead report declined", description: businessName },
    },
  });
  return <RowActions list="bad-leads" actions={actions} />;
}

const COLUMNS: readonly Column<AdminBadLead>[] = [
  providerColumn(({ boughtAt }) => `Bought ${formatDateTime(boughtAt)}`),
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
  leadColumn(({ leadId }) => leadId),
  { name: "Answer", cell: (report) => <Answer report={report} /> },
];

/** Shows leads that their buyers reported as bad leads. */
export function BadLeadsPart() {
  return (
    <ListPage
      title="Bad leads"
      isPart
      intro="Providers report leads that turned out to be no good. If you accept a report, they get one free claim. We don't refund the lead."
      list="bad-leads"
      filters={{ list: { label: "Show", options: CHOICES } }}
      fetchPage={({ list: state }, part) => adminApi()["bad-leads"].$get({ query: { ...part, state } })}
      columns={COLUMNS}
      idOf={(report) => report.id}
      empty={({ list }) => (list === "open" ? "No reports are waiting." : "None yet.")}
    />
  );
}
