/**
 * Finds stored values that the contract does not list. They come from an older or newer release, or from a mistake.
 */
import { sql } from "drizzle-orm";
import * as z from "zod/mini";

import type { Db } from "../../platform/db/client.ts";
import { type ListedColumn, listedTables } from "../../platform/db/listed-columns.ts";
import type { Context } from "../../platform/context.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";

/** Rows examined per step, once for each column. This takes some tens of milliseconds of D1's time. */
const STEP_ROWS = 5_000;
/** Maximum unknown values reported per column and step. If there are more, they usually share one cause. */
const MAX_NAMED = 10;
/** Maximum characters reported of an unknown value: enough to recognise the value. */
const MAX_SHOWN_CHARACTERS = 40;

const TABLES = listedTables();

/** Where a run continues. Stores the table's name, so that tables can be added or dropped between steps. */
const progressSchema = z.object({ table: z.string(), after: z.int() });
type Progress = z.infer<typeof progressSchema>;

/** Returns the query for a column's unknown values, and for how many rows contain each value. */
function unknownValues(table: string, { column, values, isArray }: ListedColumn, from: number, to: number) {
  const name = sql.identifier(column);
  const source = isArray
    ? sql`${sql.identifier(table)}, json_each(${sql.identifier(table)}.${name}) AS one`
    : sql.identifier(table);
  const value = isArray ? sql`one.value` : name;
  const rowid = sql`${sql.identifier(table)}.rowid`;
  return sql`
    SELECT ${column} AS "column", ${value} AS value, count(*) AS found FROM ${source}
    WHERE ${rowid} > ${from} AND ${rowid} <= ${to}
      AND ${value} NOT IN (SELECT value FROM json_each(${JSON.stringify(values)}))
    GROUP BY 2 LIMIT ${MAX_NAMED}`;
}

type Unknown = { column: string; value: string; found: number };

async function checkRows(
  db: Db,
  { table, columns }: (typeof TABLES)[number],
  after: number,
): Promise<{ rows: number; last: number; unknown: Unknown[] }> {
  const name = sql.identifier(table);
  const [rowRange] = await db.all<{ rows: number; last: number | null }>(
    sql`SELECT count(*) AS "rows", max(id) AS last FROM (SELECT rowid AS id FROM ${name} WHERE rowid > ${after} ORDER BY rowid LIMIT ${STEP_ROWS})`,
  );
  const { rows, last } = rowRange!;
  if (last === null) return { rows: 0, last: after, unknown: [] };
  const unknown: Unknown[] = [];
  for (const column of columns)
    unknown.push(...(await db.all<Unknown>(unknownValues(table, column, after, last))));
  return { rows, last, unknown };
}

/**
 * Checks one part of the stored data.
 * @param progress result of the previous part; null for the first
 * @returns where to continue (null at the end), and counts: rows examined, and rows by column and unknown value
 * @throws D1's error; the same part may be retried
 */
export async function checkDataPage(
  context: Context,
  progress: unknown,
  now: number,
): Promise<{ progress: Progress | null; counts: Record<string, number> }> {
  const db = context.db;
  const at = progress === null ? { table: TABLES[0]!.table, after: 0 } : progressSchema.parse(progress);
  const place = TABLES.findIndex(({ table }) => table === at.table);
  const listed = TABLES[place];
  if (!listed) return { progress: null, counts: {} };
  const { rows, last, unknown } = await checkRows(db, listed, at.after);
  const counts: Record<string, number> = { rows_looked_at: rows };
  for (const { column, value, found } of unknown) {
    const shown = String(value).slice(0, MAX_SHOWN_CHARACTERS);
    const subject = `${listed.table}.${column}`;
    counts[`${subject} "${shown}"`] = found;
    const detail = `Some rows contain "${shown}", which isn't on any list in the contract. Screens show them as best they can. Put the value back on its list, or correct the rows.`;
    await raiseAttention(db, "unknown_value", `${subject}=${shown}`, detail, now);
  }
  if (rows === STEP_ROWS) return { progress: { table: listed.table, after: last }, counts };
  const next = TABLES[place + 1];
  return { progress: next ? { table: next.table, after: 0 } : null, counts };
}
