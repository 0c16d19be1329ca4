/** Exports D1 to an SQL file, and fills an empty database from one. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";

import * as schema from "../../worker/platform/db/schema.ts";
import { wrangler } from "../wrangler.ts";
import {
  type Backup,
  backupText,
  type Counts,
  readBackup,
  removeLeftovers,
  withWorkingFile,
} from "./backup-file.ts";
import { inRestorableOrder, parentsFirst } from "./dump-order.ts";
import { query, runFile, type Target, withExportFlags } from "./d1.ts";

/** The schema's tables, plus wrangler's migrations table. */
const TABLES = [
  ...Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? getTableName(value) : [])),
  "d1_migrations",
].toSorted();

/** Counts the rows of every table, in one statement that returns one row. */
export const COUNT_ROWS = `SELECT ${TABLES.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(", ")}`;

async function countRows(target: Target): Promise<Counts> {
  return (await query(target, COUNT_ROWS))[0] as Counts;
}

/**
 * Exports D1 to a new file that only its owner can read. Renames the file into place once it is complete.
 *
 * @returns the counts, taken just before the export
 * @throws Error if the file exists or D1 has no tables
 */
export async function backUp(target: Target, file: string): Promise<Counts> {
  if (existsSync(file)) throw new Error(`${file} already exists, and a backup never overwrites a file.`);
  const takenAt = Date.now();
  const rows = await countRows(target);
  await withWorkingFile(file, async (partial) => {
    await withExportFlags(target, (flags) =>
      wrangler(["d1", "export", "DB", ...flags, "--skip-confirmation", "--output", partial], target.isRemote),
    );
    const sql = inRestorableOrder(readFileSync(partial, "utf8"));
    writeFileSync(partial, backupText({ takenAt, rows, sql }), { mode: 0o600 });
    renameSync(partial, file);
  });
  return rows;
}

/** Lists the differences between two sets of counts, for display. */
export function differences(expected: Counts, actual: Counts): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted();
  return names
    .filter((name) => expected[name] !== actual[name])
    .map((name) => `${name}: ${expected[name] ?? 0} expected, ${actual[name] ?? 0} found`);
}

/** Lists the differences between a database and the counts in a backup. */
export async function missingOf(target: Target, { rows }: Backup): Promise<string[]> {
  return differences(rows, await countRows(target));
}

/**
 * Fills an empty database from a backup.
 *
 * @returns the differences from the counts in the backup
 * @throws Error if the database is not empty or the backup is incomplete
 */
export async function restore(target: Target, file: string): Promise<string[]> {
  const backup = readBackup(file);
  removeLeftovers(dirname(file));
  await runFile(target, file).catch((error: unknown) => {
    if (!String(error).includes("already exists")) throw error;
    throw new Error("The database is not empty. Restore into a new one, as docs/operations.md explains.", {
      cause: error,
    });
  });
  return missingOf(target, backup);
}

/** Returns statements that empty a database: triggers first, then each table before the tables it references. */
async function emptyStatements(target: Target): Promise<string[]> {
  const rows = await query(
    target,
    `SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'trigger', 'view')
     AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 3) <> '_cf'`,
  );
  const namesOfType = (type: string) =>
    rows.filter((row) => row.type === type).map(({ name }) => String(name));
  const tables = new Map(
    rows.filter(({ type }) => type === "table").map(({ name, sql }) => [String(name), String(sql)]),
  );
  return [
    ...namesOfType("trigger").map((name) => `DROP TRIGGER "${name}";`),
    ...namesOfType("view").map((name) => `DROP VIEW "${name}";`),
    ...parentsFirst(tables)
      .toReversed()
      .map((name) => `DROP TABLE "${name}";`),
  ];
}

/**
 * Replaces the contents of this machine's database with a backup, in one transaction. A running product
 * writes its exchanges' pauses again immediately, so those rows are not counted.
 *
 * @returns the differences from the counts in the backup
 */
export async function replaceLocal(target: Target, file: string): Promise<string[]> {
  if (target.isRemote) throw new Error("Nothing in production is emptied.");
  const backup = readBackup(file);
  const sql = ["PRAGMA defer_foreign_keys = on;", ...(await emptyStatements(target)), backup.sql];
  await withWorkingFile(file, async (whole) => {
    writeFileSync(whole, sql.join("\n"));
    await runFile(target, whole);
  });
  const differing = await missingOf(target, backup);
  return differing.filter((line) => !line.startsWith("paused_regions:"));
}
