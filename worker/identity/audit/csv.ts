import type { AuditEntry } from "../../../contract/audit.ts";
import { BOM, csvLine } from "../../platform/csv.ts";

const COLUMNS: readonly (readonly [string, (line: AuditEntry) => string | number | null])[] = [
  ["id", (line) => line.id],
  ["at", (line) => new Date(line.at).toISOString()],
  ["who", (line) => line.actor?.name ?? "System"],
  ["who_id", (line) => line.actor?.id ?? null],
  ["as", (line) => line.as?.name ?? null],
  ["as_id", (line) => line.as?.id ?? null],
  ["action", (line) => line.action],
  ["subject_type", (line) => line.subjectType],
  ["subject_id", (line) => line.subjectId],
  ["before", (line) => (line.before === null ? null : JSON.stringify(line.before))],
  ["after", (line) => (line.after === null ? null : JSON.stringify(line.after))],
  ["request_id", (line) => line.requestId],
];

/** Returns the start of the CSV file: the byte order mark and the column names. */
export function auditCsvHead(): string {
  return `${BOM}${csvLine(COLUMNS.map(([name]) => name))}`;
}

/** Returns entries as CSV (RFC 4180). Spreadsheets do not run any cell as a formula. */
export function auditCsv(lines: readonly AuditEntry[]): string {
  return lines.map((line) => csvLine(COLUMNS.map(([, value]) => value(line)))).join("");
}
