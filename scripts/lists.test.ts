/** Checks that a new region, stage or payment state needs no table rebuild. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, onTestFinished, test } from "vitest";

import { AUDIT_SUBJECTS } from "../contract/audit.ts";
import { ROOT } from "../testing/tools.ts";
import * as schema from "../worker/tables.ts";

const NEW = "added_by_a_test";

/** Adds one value to each kind of list. */
const GROW: { file: RegExp; from: RegExp; to: string }[] = [
  { file: /^contract\/.*\.ts$/, from: /^export const [A-Z_]+ = \[\n?\s*"/gm, to: `$&${NEW}", "` },
  {
    file: /^worker\/(?:[a-z]+\/tables|platform\/db\/[a-z]+)\.ts$/,
    from: /^export const [A-Z_]+ = \[\s*"/gm,
    to: `$&${NEW}", "`,
  },
  { file: /^contract\/lead-fields\.ts$/, from: /(\bchoices: |= )\[\s*"/gm, to: `$&${NEW}", "` },
  {
    file: /^contract\/regions\.ts$/,
    from: /^export const REGIONS = \[/m,
    to: `$& { slug: "${NEW}", name: "Added" },`,
  },
  {
    file: /^contract\/stages\.ts$/,
    from: /^export const STAGES = \{/m,
    to: `$& ${NEW}: { label: "", tile: { id: "", label: "" }, empty: "", stamp: null, isWon: false },`,
  },
  {
    file: /^contract\/catalogue\.ts$/,
    from: /^(export )?const (SERVICES|INSPECTIONS)\b[^{]*= \{/gm,
    to: `$& ${NEW}: "Added",`,
  },
];

type Schema = Record<string, unknown>;

/** Returns the columns with a list of allowed values in their type. */
function listedColumns(schema: Schema): { table: string; column: string; values: readonly string[] }[] {
  return Object.values(schema).flatMap((value) => {
    if (!is(value, SQLiteTable)) return [];
    const table = getTableName(value);
    return getTableConfig(value).columns.flatMap(({ name, enumValues }) =>
      enumValues?.length ? [{ table, column: name, values: enumValues }] : [],
    );
  });
}

/** Returns a copy of the schema's sources, with one extra value in every list. */
function copyWithNewValues(): string {
  const copy = mkdtempSync(join(tmpdir(), "naturestrip-lists-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of [
    "contract",
    "worker",
    "migrations",
    "drizzle.config.ts",
    "package.json",
    "tsconfig.json",
  ])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const files = readdirSync(copy, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => !name.startsWith("node_modules") && name.endsWith(".ts"))) {
    const before = readFileSync(join(copy, file), "utf8");
    const after = GROW.filter((one) => one.file.test(file)).reduce(
      (text, { from, to }) =>
        text.replaceAll(new RegExp(from, from.flags.includes("g") ? from.flags : `${from.flags}g`), to),
      before,
    );
    if (after !== before) writeFileSync(join(copy, file), after);
  }
  return copy;
}

test("one more value in every list changes no table: the schema's generator has nothing to do", async () => {
  const copy = copyWithNewValues();
  const grown = listedColumns((await import(join(copy, "worker/tables.ts"))) as Schema);
  expect(grown.length).toBeGreaterThan(20);
  expect(grown.filter(({ values }) => !values.includes(NEW))).toEqual([]);
  const output = execFileSync(join(ROOT, "node_modules/.bin/drizzle-kit"), ["generate", "--name", "grown"], {
    cwd: copy,
    encoding: "utf8",
  });
  expect(output).toContain("No schema changes");
  expect(readdirSync(join(copy, "migrations"))).toEqual(readdirSync(join(ROOT, "migrations")));
});

test("every column with a list accepts a new value", () => {
  const database = new DatabaseSync(":memory:");
  for (const name of readdirSync(join(ROOT, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .toSorted())
    database.exec(readFileSync(join(ROOT, "migrations", name), "utf8"));
  for (const { table, column } of listedColumns(schema)) {
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
