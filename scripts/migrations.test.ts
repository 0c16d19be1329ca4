import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

import { getTableName, is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";

import * as schema from "../worker/tables.ts";
import { ROOT } from "../testing/tools.ts";
import { splitStatements } from "./operator/dump-order.ts";

const FOLDER = `${ROOT}migrations/`;
const MIGRATIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name) => ({ name, sql: readFileSync(`${FOLDER}${name}`, "utf8") }));

const TABLES = Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? [value] : []));

type Row = Record<string, unknown>;

/** Applies migrations as D1 does: each in a transaction, with foreign keys enforced. */
function migrate(database: DatabaseSync, from: number, to: number): void {
  for (const { name, sql } of MIGRATIONS.slice(from, to)) {
    try {
      database.exec(`BEGIN; PRAGMA defer_foreign_keys = ON; ${sql}; COMMIT;`);
    } catch (error) {
      throw new Error(`${name}: ${String(error)}`, { cause: error });
    }
  }
}

function databaseAt(version: number): DatabaseSync {
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  migrate(database, 0, version);
  return database;
}

const all = (database: DatabaseSync, sql: string): Row[] => database.prepare(sql).all() as Row[];

const tablesOf = (database: DatabaseSync): string[] =>
  all(
    database,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
  ).map(({ name }) => String(name));

const columnsOf = (database: DatabaseSync, table: string): Row[] =>
  all(database, `PRAGMA table_info("${table}")`);

const byName = (a: { name: unknown }, b: { name: unknown }) => String(a.name).localeCompare(String(b.name));

/** Returns the last value that a table's CHECK allows in a column; null if it has no CHECK. */
function lastAllowedValue(tableSql: string, name: string): string | null {
  const list = new RegExp(`"${name}" IN \\(([^)]*)\\)`).exec(tableSql)?.[1];
  const values = list?.split(", ").map((value) => value.replaceAll("'", "")) ?? [];
  // A team member would need an owner.
  return values.findLast((value) => value !== "team_member") ?? null;
}

/** Returns a value that is not the default and that the table's CHECKs allow. */
function sampleValue(table: { name: string; sql: string }, column: Row): SQLInputValue {
  const name = String(column.name);
  const type = String(column.type);
  const config = TABLES.find((one) => getTableName(one) === table.name);
  const known = config && getTableConfig(config).columns.find((one) => one.name === name);
  if (name === "team_owner_id") return null;
  if (name === "slot" || name === "ok") return 1;
  const parent = known && parentOf(table.name, known);
  if (parent) return `${parent}-sample`;
  if (name === "id" && /text/i.test(type)) return `${table.name}-sample`;
  const allowed = lastAllowedValue(table.sql, name);
  if (allowed) return allowed;
  if (known?.dataType === "json") return '["sample"]';
  if (/int/i.test(type)) return known?.dataType === "boolean" ? 1 : 5;
  return /real/i.test(type) ? -33.5 : `${table.name}.${name}`;
}

/** Returns the table that a column references. */
function parentOf(table: string, column: SQLiteColumn): string | null {
  const config = getTableConfig(TABLES.find((one) => getTableName(one) === table)!);
  for (const key of config.foreignKeys) {
    const { columns, foreignTable } = key.reference();
    if (columns.some(({ name }) => name === column.name)) return getTableName(foreignTable);
  }
  return null;
}

/** Inserts one row into every table, with a value in every column of this version. */
function fill(database: DatabaseSync): void {
  database.exec("PRAGMA foreign_keys = OFF");
  for (const name of tablesOf(database)) {
    const [{ sql }] = all(database, `SELECT sql FROM sqlite_master WHERE name = '${name}'`) as [Row];
    const columns = columnsOf(database, name);
    const values = columns.map((column) => sampleValue({ name, sql: String(sql) }, column));
    const names = columns.map((column) => `"${String(column.name)}"`).join(", ");
    const marks = values.map(() => "?").join(", ");
    database.prepare(`INSERT INTO "${name}" (${names}) VALUES (${marks})`).run(...values);
  }
  expect(all(database, "PRAGMA foreign_key_check")).toEqual([]);
  database.exec("PRAGMA foreign_keys = ON");
}

function contentOf(database: DatabaseSync): Record<string, Row[]> {
  return Object.fromEntries(
    tablesOf(database).map((table) => [table, all(database, `SELECT * FROM "${table}"`)]),
  );
}

const latest = databaseAt(MIGRATIONS.length);

test("every migration applies to an empty database, one after another", () => {
  const database = latest;
  expect(all(database, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(tablesOf(database)).toEqual(TABLES.map((table) => getTableName(table)).toSorted());
});

test.each(MIGRATIONS.slice(0, -1).map(({ name }, i) => [name, i + 1] as const))(
  "a database filled at %s keeps every row, field by field, through all later migrations",
  (_, version) => {
    const database = databaseAt(version);
    fill(database);
    const before = contentOf(database);
    migrate(database, version, MIGRATIONS.length);
    const after = contentOf(database);
    for (const [table, rows] of Object.entries(before)) {
      // Later migrations may add rows (reference data) and columns. Existing values must not change.
      const names = Object.keys(rows[0] ?? {});
      const valuesOf = (row: Row) => JSON.stringify(names.map((name) => row[name]));
      const kept = new Set(after[table]!.map(valuesOf));
      const lost = rows.filter((row) => !kept.has(valuesOf(row)));
      expect(lost, table).toEqual([]);
    }
    expect(all(database, "PRAGMA foreign_key_check")).toEqual([]);
    expect(all(database, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  },
);

test.each(TABLES.map((table) => [getTableName(table), table] as const))(
  "the migrations build the schema's %s",
  (name, table) => {
    const database = latest;
    const config = getTableConfig(table);
    const keys = new Set(config.primaryKeys.flatMap(({ columns }) => columns.map((column) => column.name)));
    const wanted = config.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType().toLowerCase(),
      notNull: column.notNull || column.primary,
      hasDefault: column.hasDefault && !column.primary,
      isKey: column.primary || keys.has(column.name),
    }));
    // Unlike table_info, this also lists generated columns.
    const built = all(database, `PRAGMA table_xinfo("${name}")`).map(
      ({ name, type, notnull, dflt_value, pk }) => ({
        name,
        type: String(type).toLowerCase(),
        notNull: notnull === 1,
        hasDefault: dflt_value !== null,
        isKey: Number(pk) > 0,
      }),
    );
    expect(built.toSorted(byName)).toEqual(wanted.toSorted(byName));

    const indexes = all(database, `PRAGMA index_list("${name}")`)
      .filter(({ origin }) => origin === "c")
      .map((index) => ({ name: index.name, unique: index.unique === 1, isPartial: index.partial === 1 }));
    const wantedIndexes = config.indexes.map(({ config }) => ({
      name: config.name,
      unique: config.unique,
      isPartial: config.where !== undefined,
    }));
    expect(indexes.toSorted(byName)).toEqual(wantedIndexes.toSorted(byName));

    const parents = all(database, `PRAGMA foreign_key_list("${name}")`).map(
      ({ from, table }) => `${from}: ${table}`,
    );
    const wantedParents = config.foreignKeys.map((key) => {
      const { columns, foreignTable } = key.reference();
      return `${columns[0]!.name}: ${getTableName(foreignTable)}`;
    });
    expect(parents.toSorted()).toEqual(wantedParents.toSorted());

    const [{ sql }] = all(database, `SELECT sql FROM sqlite_master WHERE name = '${name}'`) as [Row];
    for (const check of config.checks) expect(String(sql)).toContain(`CONSTRAINT "${check.name}" CHECK`);
  },
);

test("every change in the schema has a migration", async () => {
  // oxlint-disable-next-line import/no-extraneous-dependencies -- a tool's own way of comparing
  const { generateSQLiteDrizzleJson, generateSQLiteMigration } = await import("drizzle-kit/api");
  const journal = JSON.parse(readFileSync(`${FOLDER}meta/_journal.json`, "utf8")) as {
    entries: { tag: string; idx: number }[];
  };
  expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(MIGRATIONS.map(({ name }) => name));
  const number = String(journal.entries.at(-1)!.idx).padStart(4, "0");
  // drizzle-kit compares only with the newest snapshot. When you add a migration, delete the previous
  // snapshot.
  expect(readdirSync(`${FOLDER}meta`).toSorted()).toEqual([`${number}_snapshot.json`, "_journal.json"]);
  const snapshot = JSON.parse(readFileSync(`${FOLDER}meta/${number}_snapshot.json`, "utf8"));
  const now = await generateSQLiteDrizzleJson({ ...schema });
  expect(await generateSQLiteMigration(snapshot, now)).toEqual([]);
});

/**
 * Statements that older code tolerates. A migration runs before the code that needs it, and remains after a
 * rollback.
 */
const HARMLESS = [
  /^CREATE TABLE\b/i,
  /^CREATE (UNIQUE )?INDEX\b/i,
  /^CREATE TRIGGER\b/i,
  /^INSERT INTO suburbs\b/i,
  /^ALTER TABLE \S+ ADD (?!.*NOT NULL)/i,
  /^ALTER TABLE \S+ ADD .*\bDEFAULT\b/i,
  /^ALTER TABLE \S+ ADD .*\bGENERATED ALWAYS AS\b.*\bVIRTUAL;$/i,
];

/** If a migration removes something, its first line names the release that stopped using it. */
const CONTRACT = /^-- contract: \S+/;

/** Dropping a non-unique index slows older code down but does not break it. */
function dropsPlainIndex(statement: string): boolean {
  const [, name] = /^DROP INDEX `(\w+)`;$/i.exec(statement) ?? [];
  return name !== undefined && MIGRATIONS.some(({ sql }) => sql.includes(`CREATE INDEX \`${name}\` `));
}

const isHarmless = (statement: string) =>
  HARMLESS.some((pattern) => pattern.test(statement)) || dropsPlainIndex(statement);

function findDangerous(sql: string): string[] {
  if (CONTRACT.test(sql)) return [];
  const statements = splitStatements(sql);
  // A migration may fill a table that it creates, since no older release uses it.
  const isBackfill = (statement: string) => {
    const table = /^INSERT INTO `(\w+)`/i.exec(statement)?.[1];
    return table !== undefined && statements.some((one) => one.startsWith(`CREATE TABLE \`${table}\``));
  };
  return statements.filter((statement) => !isHarmless(statement) && !isBackfill(statement));
}

test.each(MIGRATIONS.map(({ name, sql }) => [name, sql] as const))(
  "%s can run while the previous release is still serving",
  (_, sql) => {
    expect(findDangerous(sql)).toEqual([]);
  },
);

test("statements that would break the previous release are found", () => {
  for (const sql of [
    "DROP TABLE `leads`;",
    "ALTER TABLE `leads` DROP COLUMN `region`;",
    "ALTER TABLE `leads` RENAME COLUMN `region` TO `market`;",
    "ALTER TABLE `leads` ADD `shade` text NOT NULL;",
    "UPDATE leads SET region = 'nsw';",
    // A unique index, and an index that no migration creates.
    "DROP INDEX `lead_purchases_live_lead`;",
    "DROP INDEX `leads_unheard_of`;",
  ])
    expect(findDangerous(sql), sql).toHaveLength(1);
  expect(findDangerous("ALTER TABLE `leads` ADD `shade` text DEFAULT 'none' NOT NULL;")).toEqual([]);
  expect(findDangerous("-- contract: unused since 2026-12-01\nDROP TABLE `old`;")).toEqual([]);
});
