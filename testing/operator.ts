/** Operators in tests: jobs as the scripts write them, and all stored data as searchable text. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";

import type { OperatorJob } from "../contract/operator.ts";
import { REGION_SLUGS } from "../contract/regions.ts";
import { runSweeps } from "../worker/cron.ts";
import { operatorJobs } from "../worker/platform/db/schema.ts";
import { exchangeOf } from "../worker/exchange/stub.ts";
import { db, testEnv } from "./client.ts";

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

/** Stores a job and runs the cron once, at `now`. */
export async function runJob(
  job: Pick<OperatorJob, "kind"> & { input: unknown },
  now = Date.now(),
): Promise<JobRow> {
  const id = await storeJob(job);
  await runSweeps(testEnv, now);
  return jobRow(id);
}

/** Returns every row of every table of D1, as text. */
export async function dumpD1(): Promise<string> {
  const { results: tables } = await testEnv.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'd1%' AND name <> 'suburbs'",
  ).all<{ name: string }>();
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
    const text = await runInDurableObject(exchangeOf(testEnv, region)!, (_, { storage }) => {
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
