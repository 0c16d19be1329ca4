/** Exports D1 into a file of SQL, and builds an empty database from one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { run } from "../local.ts";
import { query, runFile, type Target, targetFlags } from "./d1.ts";

/** How many rows each table has. */
export type Counts = Record<string, number>;

const countsFile = (file: string) => `${file}.counts.json`;

/** Tables of ours, in the order of their names. */
async function tableNames(target: Target): Promise<string[]> {
  const rows = await query(
    target,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
  );
  return rows.map(({ name }) => String(name));
}

/** Counts every table's rows. */
export async function countRows(target: Target): Promise<Counts> {
  const names = await tableNames(target);
  if (names.length === 0) return {};
  const parts = names.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`);
  const [row] = await query(target, `SELECT ${parts.join(", ")}`);
  return row as Counts;
}

/**
 * Writes D1 into a file that only its owner may read, and how many rows that should be beside it.
 * @returns the counts, taken just before the export
 */
export async function backUp(target: Target, file: string): Promise<Counts> {
  mkdirSync(dirname(file), { recursive: true });
  const counts = await countRows(target);
  await run("wrangler", ["d1", "export", "DB", ...targetFlags(target), "--skip-confirmation", "--output", file]);
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
  const existing = await tableNames(target);
  if (existing.length > 0)
    throw new Error(
      `The database is not empty (${existing.length} tables). Restore into a new one: docs/operations.md says how.`,
    );
  await runFile(target, file);
  if (!existsSync(countsFile(file))) return [];
  return differences(JSON.parse(readFileSync(countsFile(file), "utf8")) as Counts, await countRows(target));
}
