/** Operators in tests: jobs as the scripts write them, and all stored data as searchable text. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";

import type { OperatorJob } from "../contract/operator.ts";
import { REGION_SLUGS } from "../contract/regions.ts";
import { operatorJobs } from "../worker/tables.ts";
import { db, testEnv } from "./client.ts";
import { runSweep } from "./drivers.ts";
import { exchangeIn } from "./facts.ts";

type JobRow = typeof operatorJobs.$inferSelect;

let jobs = 0;

/** Stores a job for the cron. Returns its ID. */
export async function storeJob(job: Pick<OperatorJob, "kind"> & { input: unknown }): Promise<string> {
  jobs += 1;
  const id = `job_test_${jobs}`;
  const now = Date.now();
  await db.insert(operatorJobs).values({ id, ...job, createdAt: now, updatedAt: now });
  return id;
}

export async function jobRow(id: string): Promise<JobRow> {
  const [row] = await db.select().from(operatorJobs).where(eq(operatorJobs.id, id));
  return row!;
}

/**
 * Stores a job and runs it as the cron does at `now`, but without the other sweeps. A cron ends its jobs after 20
 * seconds, and a slow machine needs several for one job.
 */
export async function runJob(
  job: Pick<OperatorJob, "kind"> & { input: unknown },
  now = Date.now(),
): Promise<JobRow> {
  const id = await storeJob(job);
  for (;;) {
    await runSweep("operator_jobs", now);
    const row = await jobRow(id);
    if (row.state !== "waiting" || row.leasedUntil > now) return row;
  }
}

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'd1%' AND name NOT LIKE 'sqlite%' AND name <> 'suburbs'";

/** Copies D1. @returns a function that takes D1 back to the copy, as Time Travel does */
export async function copyD1(): Promise<() => Promise<void>> {
  const { DB } = testEnv;
  const { results: tables } = await DB.prepare(TABLES).all<{ name: string }>();
  const copies: { name: string; columns: string; rows: string }[] = [];
  for (const { name } of tables) {
    const { results: columns } = await DB.prepare(
      `SELECT name FROM pragma_table_xinfo('${name}') WHERE hidden = 0`,
    ).all<{ name: string }>();
    const { results: rows } = await DB.prepare(`SELECT * FROM "${name}"`).all();
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    copies.push({ name, columns: names, rows: JSON.stringify(rows) });
  }
  return async () => {
    // Triggers guard some tables, and count others.
    const { results: triggers } = await DB.prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    ).all<{ name: string; sql: string }>();
    await DB.batch([
      DB.prepare("PRAGMA defer_foreign_keys = on"),
      ...triggers.map(({ name }) => DB.prepare(`DROP TRIGGER "${name}"`)),
      ...copies.map(({ name }) => DB.prepare(`DELETE FROM "${name}"`)),
      ...copies.map(({ name, columns, rows }) => {
        const values = columns.replaceAll(/"(\w+)"/g, "value ->> '$1'");
        return DB.prepare(`INSERT INTO "${name}" (${columns}) SELECT ${values} FROM json_each(?)`).bind(rows);
      }),
      ...triggers.map(({ sql }) => DB.prepare(sql)),
    ]);
  };
}

/** Returns every row of every table of D1, as text. */
export async function dumpD1(): Promise<string> {
  const { results: tables } = await testEnv.DB.prepare(TABLES).all<{ name: string }>();
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { results } = await testEnv.DB.prepare(`SELECT * FROM "${name}"`).all();
      return `${name}: ${JSON.stringify(results)}`;
    }),
  );
  return texts.join("\n");
}

/** Returns every row of every table of every exchange, as text. */
export async function dumpExchanges(): Promise<string> {
  const texts: string[] = [];
  for (const region of REGION_SLUGS) {
    const text = await runInDurableObject(exchangeIn(region), (_, { storage }) => {
      const tables = storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
        )
        .toArray();
      return tables
        .map(({ name }) => JSON.stringify(storage.sql.exec(`SELECT * FROM "${name}"`).toArray()))
        .join();
    });
    texts.push(text);
  }
  return texts.join("\n");
}
