/** Checks that a new region, stage or payment state needs no table rebuild. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";

import { AUDIT_SUBJECTS } from "../contract/audit.ts";
import { ROOT } from "../testing/tools.ts";
import * as schema from "../worker/tables.ts";

/** Returns the columns with a list of allowed values in their type. */
function listedColumns(): { table: string; column: string }[] {
  return Object.values(schema).flatMap((value) => {
    if (!is(value, SQLiteTable)) return [];
    const table = getTableName(value);
    return getTableConfig(value).columns.flatMap(({ name, enumValues }) =>
      enumValues?.length ? [{ table, column: name }] : [],
    );
  });
}

test("every column with a list accepts a new value", () => {
  const database = new DatabaseSync(":memory:");
  for (const name of readdirSync(join(ROOT, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .toSorted())
    database.exec(readFileSync(join(ROOT, "migrations", name), "utf8"));
  const listed = listedColumns();
  expect(listed.length, "the test sees the lists").toBeGreaterThan(20);
  for (const { table, column } of listed) {
    const { sql } = database.prepare("SELECT sql FROM sqlite_master WHERE name = ?").get(table) as {
      sql: string;
    };
    const checks = [...sql.matchAll(/CHECK\s*\(([^\n]*)\)/g)].map(([, check]) => check);
    const naming = checks.filter((check) => check!.includes(column) && /\bIN\s*\('/.test(check!));
    expect(naming, `${table}.${column}`).toEqual([]);
  }
});

test("the audit log can be filtered by every subject of its actions", () => {
  const files = ["worker", "scripts"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => join(ROOT, folder, name)),
  );
  const actions = files.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/\baction: [^;\n]*?["`]([a-z_]+)\.[a-z_$]/g),
  ]);
  const subjects = new Set(actions.map(([, subject]) => subject));
  expect(subjects.size).toBeGreaterThan(9);
  expect([...subjects].filter((subject) => !AUDIT_SUBJECTS.some((known) => known === subject))).toEqual([]);
});
