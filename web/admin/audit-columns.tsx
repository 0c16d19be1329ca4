import type { AuditLine } from "../../contract/audit.ts";
import { formatMoment } from "../lib/format-time.ts";
import type { Column } from "./admin-list.tsx";
import { IdLink } from "./id-link.tsx";

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const format = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * What changed, a line for each field: as it was, and as it is since. Of which nothing was said afterwards, that
 * stayed as it was: it is not struck out, and left out where there was nothing.
 */
function Values({ line }: { line: AuditLine }) {
  const [before, after] = [fieldsOf(line.before), fieldsOf(line.after)];
  const told = Object.keys(before).filter((name) => before[name] !== null || name in after);
  return [...new Set([...told, ...Object.keys(after)])].map((name) => (
    <span className="list__change" key={name}>
      {name}:{" "}
      {name in before && (name in after ? <del>{format(before[name])}</del> : `was ${format(before[name])}`)}{" "}
      {name in after && format(after[name])}
    </span>
  ));
}

/** Columns of the log, wherever its lines are listed. */
export const AUDIT_COLUMNS: readonly Column<AuditLine>[] = [
  {
    name: "When",
    cell: (line) => <time dateTime={new Date(line.at).toISOString()}>{formatMoment(line.at)}</time>,
  },
  {
    name: "Who",
    cell: (line) => (
      <div>
        <span className="list__main">{line.actor ? line.actor.name || "Somebody" : "The system"}</span>
        {line.as && <span className="list__sub">as {line.as.name || "somebody"}</span>}
        {line.actor && <IdLink id={line.actor.id} />}
      </div>
    ),
  },
  {
    name: "What",
    cell: (line) => (
      <div>
        <span className="list__action">{line.action}</span>
        {line.requestId && <span className="list__code">request {line.requestId}</span>}
      </div>
    ),
  },
  {
    name: "About",
    cell: (line) => (
      <div>
        {line.subjectType}
        <IdLink id={line.subjectId} />
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
