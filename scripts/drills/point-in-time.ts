/** Simulates D1's Time Travel for drills, since local D1 does not have it. */
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";

import * as schema from "../../worker/platform/db/schema.ts";

type Row = Record<string, unknown>;

/** Every row of every table except suburbs, which drills never change. */
export type Moment = { at: number; rows: Map<string, Row[]> };

const TABLES = Object.values(schema)
  .flatMap((value) => (is(value, SQLiteTable) ? [getTableName(value)] : []))
  .filter((name) => name !== "suburbs");

/** Takes a snapshot of D1. */
export async function captureMoment(db: D1Database): Promise<Moment> {
  // table_info omits generated columns, which cannot be written.
  const columns = await db.batch<{ name: string }>(
    TABLES.map((name) => db.prepare("SELECT name FROM pragma_table_info(?)").bind(name)),
  );
  const answers = await db.batch<Row>(
    TABLES.map((name, i) => {
      const names = columns[i]!.results.map((column) => `"${column.name}"`).join(", ");
      return db.prepare(`SELECT ${names} FROM "${name}"`);
    }),
  );
  return { at: Date.now(), rows: new Map(TABLES.map((name, i) => [name, answers[i]!.results])) };
}

/**
 * Restores a snapshot of D1. Drops the triggers that protect the audit log first, and recreates them
 * afterwards.
 */
export async function restoreMoment(db: D1Database, { rows }: Moment): Promise<void> {
  const { results: triggers } = await db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all<{ name: string; sql: string }>();
  const inserts = [...rows].flatMap(([name, all]) =>
    all.map((row) => {
      const columns = Object.keys(row);
      const names = columns.map((column) => `"${column}"`).join(", ");
      const values = Object.values(row);
      return db
        .prepare(`INSERT INTO "${name}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`)
        .bind(...values);
    }),
  );
  await db.batch([
    db.prepare("PRAGMA defer_foreign_keys = on"),
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER "${name}"`)),
    ...TABLES.map((name) => db.prepare(`DELETE FROM "${name}"`)),
    ...inserts,
    ...triggers.map(({ sql }) => db.prepare(sql)),
  ]);
}
