import { Hono } from "hono";
import * as z from "zod/mini";

import { type AuditEntry, type AuditFilter, auditFilterSchema } from "../../../contract/audit.ts";
import type { AppEnv } from "../../platform/context.ts";
import { BOM, csvLine } from "../../platform/csv.ts";
import type { Db } from "../../platform/db/client.ts";
import type { After } from "../../platform/db/sql.ts";
import { query } from "../../platform/http/body.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { access } from "../access.ts";
import { listAudit } from "./store.ts";

const PAGE = 100;
const EXPORT_PAGE = 500;

const listQuery = z.object({ ...pageParams(PAGE), ...auditFilterSchema.shape });

/** Streams the log as a CSV file, one page at a time. */
function csvStream(db: Db, filter: AuditFilter): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after: After = null;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(auditCsvHead())),
    async pull(controller) {
      const lines = await listAudit(db, { ...filter, after, limit: EXPORT_PAGE });
      if (lines.length > 0) controller.enqueue(encoder.encode(auditCsv(lines)));
      const last = lines.at(-1);
      after = last ? { createdAt: last.at, id: String(last.id) } : null;
      if (lines.length < EXPORT_PAGE) controller.close();
    },
  });
}

/** The audit log. Super admins read and export it; no user can change it. */
export const auditAdminRoutes = new Hono<AppEnv>()
  .get("/audit", access.superAdmin, query(listQuery), async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const lines = await listAudit(c.env.db, { ...filter, after: readAfter(cursor), limit });
    linkNext(
      c,
      lines.map(({ at, id }) => ({ createdAt: at, id: String(id) })),
      limit,
    );
    return c.json(lines);
  })

  .get("/audit.csv", access.superAdmin, query(auditFilterSchema), (c) =>
    c.body(csvStream(c.env.db, c.req.valid("query")), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="audit-log-${new Date().toISOString().slice(0, 10)}.csv"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    }),
  );

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
function auditCsvHead(): string {
  return `${BOM}${csvLine(COLUMNS.map(([name]) => name))}`;
}

/** Returns entries as CSV (RFC 4180). Spreadsheets do not run any cell as a formula. */
function auditCsv(lines: readonly AuditEntry[]): string {
  return lines.map((line) => csvLine(COLUMNS.map(([, value]) => value(line)))).join("");
}
