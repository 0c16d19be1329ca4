import type { AuditEntry } from "../../contract/audit.ts";
import { SALES_STAGES, STAGES } from "../../contract/stages.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { toSentence } from "../lib/to-sentence.ts";
import type { Column } from "./admin-list.tsx";
import { IdLink, AdminLink } from "./id-link.tsx";

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function formatValue(name: string, value: unknown): string {
  const stage = name === "salesStage" && SALES_STAGES.find((known) => known === value);
  if (stage) return STAGES[stage].label;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Shows the changes, one line per field, with the value before and after. A field without a new value did not change.
 * It shows only if it had a value.
 */
function Values({ line }: { line: AuditEntry }) {
  const [before, after] = [fieldsOf(line.before), fieldsOf(line.after)];
  const shownNames = Object.keys(before).filter((name) => before[name] !== null || name in after);
  return [...new Set([...shownNames, ...Object.keys(after)])].map((name) => (
    <span className="list__change" key={name}>
      {toSentence(name)}:{" "}
      {name in before &&
        (name in after ? (
          <del className="muted">{formatValue(name, before[name])}</del>
        ) : (
          `was ${formatValue(name, before[name])}`
        ))}{" "}
      {name in after && formatValue(name, after[name])}
    </span>
  ));
}

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    name: "When",
    cell: (line) => <time dateTime={new Date(line.at).toISOString()}>{formatDateTime(line.at)}</time>,
  },
  {
    name: "Who",
    cell: (line) => (
      <div>
        <span className="list__main">
          {line.actor ? (
            <AdminLink id={line.actor.id}>{line.actor.name || "Someone"}</AdminLink>
          ) : (
            "The system"
          )}
        </span>
        {line.as && <span className="list__sub">as {line.as.name || "someone"}</span>}
      </div>
    ),
  },
  {
    name: "What",
    cell: (line) => (
      <div>
        <span className="list__action">{toSentence(line.action)}</span>
      </div>
    ),
  },
  {
    name: "About",
    cell: (line) => (
      <div>
        <AdminLink id={line.subjectId}>{toSentence(line.subjectType)}</AdminLink>
        <details className="list__ids">
          <summary>Show IDs</summary>
          <IdLink id={line.subjectId} />
          {line.requestId && <span className="list__code">request {line.requestId}</span>}
        </details>
      </div>
    ),
  },
  {
    name: "Change",
    cell: (line) => (
      <div>
        <Values line={line} />
      </div>
    ),
  },
];
