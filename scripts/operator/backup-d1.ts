/** Exports D1 into a file of SQL, and builds an empty database from one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";

import * as schema from "../../worker/db/schema.ts";
import { run } from "../../testing/tools.ts";
import { inRestorableOrder } from "./dump-order.ts";
import { query, runFile, type Target, targetFlags } from "./d1.ts";

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

/**
 * Writes D1 into a file that only its owner may read, and how many rows that should be beside it.
 * @returns the counts, taken just before the export
 */
export async function backUp(target: Target, file: string): Promise<Counts> {
  mkdirSync(dirname(file), { recursive: true });
  const counts = await countRows(target);
  await run("wrangler", [
    "d1",
    "export",
    "DB",
    ...targetFlags(target),
    "--skip-confirmation",
    "--output",
    file,
  ]);
  writeFileSync(file, inRestorableOrder(readFileSync(file, "utf8")));
  chmodSync(file, 0o600);
  writeFileSync(countsFile(file), `${JSON.stringify(counts, null, 2)}\n`, { mode: 0o600 });
  return counts;
}

/** What differs between two counts, as texts for people. */
export function differences(expected: Counts, actual: Counts): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted();
  return names
    .filter((name) => expected[name] !== actual[name])
    .map((name) => `${name}: ${expected[name] ?? 0} expected, ${actual[name] ?? 0} found`);
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
  if (!existsSync(countsFile(file))) return [];
  return differences(JSON.parse(readFileSync(countsFile(file), "utf8")) as Counts, await countRows(target));
}
