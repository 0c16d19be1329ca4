/** Exports D1 into a file of SQL, and builds an empty database from one. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";

import * as schema from "../../worker/db/schema.ts";
import { wrangler } from "../wrangler.ts";
import { inRestorableOrder, parentsFirst } from "./dump-order.ts";
import { query, runFile, type Target, withExportFlags } from "./d1.ts";

/** How many rows each table has. */
export type Counts = Record<string, number>;

const countsFile = (file: string) => `${file}.counts.json`;

/** Tables of ours, as the schema names them, and wrangler's list of migrations. */
const TABLES = [
  ...Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? getTableName(value) : [])),
  "d1_migrations",
].toSorted();

/** Counts every table's rows. The answer is one row of a statement of its own. */
export const COUNT_ROWS = `SELECT ${TABLES.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(", ")}`;

async function countRows(target: Target): Promise<Counts> {
  return (await query(target, COUNT_ROWS))[0] as Counts;
}

/** What stands beside a backup: when it was made, and how many rows it has to have. */
type Beside = { takenAt: string; rows: Counts };

const readBeside = (file: string): Beside | null =>
  existsSync(countsFile(file)) ? (JSON.parse(readFileSync(countsFile(file), "utf8")) as Beside) : null;

/** When a backup was made (epoch ms); null when nothing says so. */
export function takenAt(file: string): number | null {
  const at = Date.parse(readBeside(file)?.takenAt ?? "");
  return Number.isNaN(at) ? null : at;
}

/** Makes a file that only its owner may read, from its first moment on. @throws Error when there is one already */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`${file} is there already, and no backup is written over another one.`, { cause: error });
  }
}

/**
 * Writes D1 into a new file that only its owner may read, and beside it when that was and how many rows there
 * are.
 * @returns the counts, taken just before the export
 * @throws Error when the file is there already, or D1 has no tables
 */
export async function backUp(target: Target, file: string): Promise<Counts> {
  const takenAt = new Date().toISOString();
  const counts = await countRows(target);
  mkdirSync(dirname(file), { recursive: true });
  makePrivate(file);
  try {
    await withExportFlags(target, (flags) =>
      wrangler(["d1", "export", "DB", ...flags, "--skip-confirmation", "--output", file], target.isRemote),
    );
    writeFileSync(file, inRestorableOrder(readFileSync(file, "utf8")), { mode: 0o600 });
    makePrivate(countsFile(file));
  } catch (error) {
    // Half a backup would be taken for a whole one.
    rmSync(file);
    throw error;
  }
  const beside: Beside = { takenAt, rows: counts };
  writeFileSync(countsFile(file), `${JSON.stringify(beside, null, 2)}\n`, { mode: 0o600 });
  return counts;
}

/** What differs between two counts, as texts for people. */
export function differences(expected: Counts, actual: Counts): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted();
  return names
    .filter((name) => expected[name] !== actual[name])
    .map((name) => `${name}: ${expected[name] ?? 0} expected, ${actual[name] ?? 0} found`);
}

/** What differs from the counts taken with a backup; nothing, when all is well or there are none. */
export async function missingOf(target: Target, file: string): Promise<string[]> {
  const beside = readBeside(file);
  return beside ? differences(beside.rows, await countRows(target)) : [];
}

/**
 * Builds a database from a backup. The database has to be empty.
 * @returns what differs from the counts taken with the backup; nothing, when all is well
 * @throws Error when the database is not empty
 */
export async function restore(target: Target, file: string): Promise<string[]> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  await runFile(target, file).catch((error: unknown) => {
    if (!String(error).includes("already exists")) throw error;
    throw new Error("The database is not empty. Restore into a new one: docs/operations.md says how.", {
      cause: error,
    });
  });
  return missingOf(target, file);
}

/** Statements that take everything out of a database, guards first, each table before those it refers to. */
async function emptying(target: Target): Promise<string[]> {
  const rows = await query(
    target,
    `SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'trigger', 'view')
     AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 3) <> '_cf'`,
  );
  const named = (type: string) => rows.filter((row) => row.type === type).map(({ name }) => String(name));
  const tables = new Map(
    rows.filter(({ type }) => type === "table").map(({ name, sql }) => [String(name), String(sql)]),
  );
  return [
    ...named("trigger").map((name) => `DROP TRIGGER "${name}";`),
    ...named("view").map((name) => `DROP VIEW "${name}";`),
    ...parentsFirst(tables)
      .toReversed()
      .map((name) => `DROP TABLE "${name}";`),
  ];
}

/**
 * Puts a backup in the place of what this machine's database has, as one change.
 * @returns what differs from the counts taken with the backup
 */
export async function replaceLocal(target: Target, file: string): Promise<string[]> {
  if (target.isRemote) throw new Error("Nothing in production is emptied.");
  const sql = ["PRAGMA defer_foreign_keys = on;", ...(await emptying(target)), readFileSync(file, "utf8")];
  const whole = `${file}.replacing-${process.pid}.sql`;
  makePrivate(whole);
  try {
    writeFileSync(whole, sql.join("\n"));
    await runFile(target, whole);
  } finally {
    rmSync(whole);
  }
  return missingOf(target, file);
}
