/** Exports D1 to an SQL file. */
import { existsSync, readFileSync } from "node:fs";

import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";

import * as schema from "../../worker/tables.ts";
import { wrangler } from "../wrangler.ts";
import { backupText, type Counts, writeWhole } from "./backup-file.ts";
import { query, type Target, withExportFlags } from "./d1.ts";
import { inRestorableOrder } from "./dump-order.ts";

/** The schema's tables, plus wrangler's migrations table. */
const TABLES = [
  ...Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? getTableName(value) : [])),
  "d1_migrations",
].toSorted();

/** Counts the rows of every table, in one statement that returns one row. */
export const COUNT_ROWS = `SELECT ${TABLES.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(", ")}`;

/**
 * Exports D1 to a new file that only its owner can read.
 *
 * @returns the row counts, taken just before the export
 * @throws Error if the file exists or D1 has no tables
 */
export async function backUp(target: Target, file: string): Promise<Counts> {
  if (existsSync(file)) throw new Error(`${file} already exists, and a backup never overwrites a file.`);
  const takenAt = Date.now();
  const rows = (await query(target, COUNT_ROWS))[0] as Counts;
  await writeWhole(file, async (dump) => {
    await withExportFlags(target, (flags) =>
      wrangler(["d1", "export", "DB", ...flags, "--skip-confirmation", "--output", dump], target.isRemote),
    );
    return backupText({ takenAt, rows, sql: inRestorableOrder(readFileSync(dump, "utf8")) });
  });
  return rows;
}
