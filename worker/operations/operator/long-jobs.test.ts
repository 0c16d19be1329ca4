/**
 * Runs operators' jobs over thousands of rows while D1 fails in the middle. Each job must finish with the right
 * result.
 */
import { runInDurableObject } from "cloudflare:test";
import { count, eq } from "drizzle-orm";
import { expect, inject, test } from "vitest";

import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { exchange } from "../../../testing/cards.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { listed, runSweep } from "../../../testing/drivers.ts";
import { jobRow, storeJob } from "../../../testing/operator.ts";
import { insertPendingLead } from "../../../testing/world.ts";
import { leads } from "../../platform/db/schema.ts";
import type { Bindings } from "../../platform/env.ts";

/**
 * To repeat the size that proved the jobs: `JOB_ROWS=5000 npx vitest run --project workerd
 * worker/operations/operator/long-jobs.test.ts`.
 */
const ROWS = inject("jobRows");

/** D1 fails after this many calls, which is in the middle of the shortest job. */
const MIDDLE = ROWS / 50;
const EMAIL = "many@example.com";
const RECONCILE = { kind: "reconcile", input: { since: 0, isFix: true, region: "inner-west" } } as const;

/** Returns an environment with a D1 that fails three calls in a row, after the given number of calls. */
function unreachableAfter(calls: number): { env: Bindings; failures: () => number } {
  let made = 0;
  const lost = () => {
    made += 1;
    return made > calls && made <= calls + 3;
  };
  const DB = new Proxy(testEnv.DB, {
    get(real, name) {
      const value: unknown = Reflect.get(real, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (lost()) throw new Error("D1_ERROR: Network connection lost.");
        return value.apply(real, args) as unknown;
      };
    },
  });
  return { env: { ...testEnv, DB }, failures: () => Math.min(Math.max(made - calls, 0), 3) };
}

/** Stores a job and runs the cron each minute until the job ends. D1 fails in the middle. @returns the job's row */
async function runWithFaults(job: Parameters<typeof storeJob>[0], calls: number) {
  const { env, failures } = unreachableAfter(calls);
  const id = await storeJob(job);
  const began = Date.now();
  for (let now = began; now < began + 4 * HOUR_MS; now += MINUTE_MS) {
    // In some minutes D1 cannot even read the job's own row.
    await runSweep("operator_jobs", now, env).catch(() => null);
    if ((await jobRow(id)).state !== "waiting") break;
  }
  expect(failures(), `D1 was away for ${job.kind}: ${JSON.stringify(await jobRow(id))}`).toBe(3);
  return jobRow(id);
}

/** Fills D1 with copies of one row. @param changed columns as SQL over `i`, the copy's number */
async function copyRows(table: string, id: string, changed: Record<string, string>): Promise<void> {
  const { results } = await testEnv.DB.prepare(
    `SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`,
  ).all<{ name: string }>();
  const names = results.map(({ name }) => name);
  await testEnv.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})
     INSERT INTO ${table} (${names.join(", ")}) SELECT ${names.map((name) => changed[name] ?? name).join(", ")}
     FROM n, (SELECT * FROM ${table} WHERE id = ?)`,
  )
    .bind(id)
    .run();
}

const ofState = async (listingState: "listed" | "pending") =>
  (await db.select({ n: count() }).from(leads).where(eq(leads.listingState, listingState)))[0]!.n;

/** Counts the listings in the inner west's exchange by state. */
const inExchange = () =>
  runInDurableObject(exchange, (_, { storage }) =>
    storage.sql
      .exec<{ state: string; n: number }>("SELECT state, count(*) AS n FROM listings GROUP BY state")
      .toArray(),
  );

const COPY = {
  id: `substr(id, 1, length(id) - 5) || printf('%05d', i)`,
  reference: "NULL",
  submission_id: "submission_id || i",
};

test(`${ROWS} leads that their exchange has lost are listed again, with D1 down in the middle`, async () => {
  const { id } = await insertPendingLead(db, {}, Date.now() - HOUR_MS);
  await db.update(leads).set({ listingState: "listed", exchangeVersion: 7 }).where(eq(leads.id, id));
  await copyRows("leads", id, COPY);
  const job = await runWithFaults(RECONCILE, MIDDLE);
  expect(job).toMatchObject({ state: "done", result: { fixed: ROWS } });
  expect(await ofState("listed")).toBe(ROWS);
  expect(await inExchange()).toEqual([{ state: "available", n: ROWS }]);
  await db.delete(leads);
  await runInDurableObject(exchange, (_, { storage }) => storage.sql.exec("DELETE FROM listings"));
});

test(`${ROWS} decisions are written to D1 again, and ${ROWS} leads erased, with D1 down in the middle`, async () => {
  const lead = await listed({ customerEmail: EMAIL }, Date.now() - HOUR_MS);
  await copyRows("leads", lead.id, COPY);
  await runInDurableObject(exchange, (_, { storage }) => {
    const columns = storage.sql
      .exec<{ name: string }>("SELECT name FROM pragma_table_xinfo('listings') WHERE hidden = 0")
      .toArray()
      .map(({ name }) => name);
    const copied = columns.map((name) => (name === "lead_id" ? COPY.id.replaceAll("id", "lead_id") : name));
    storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})
       INSERT INTO listings (${columns.join(", ")}) SELECT ${copied.join(", ")}
       FROM n, (SELECT * FROM listings WHERE lead_id = ?)`,
      lead.id,
    );
  });
  expect(await inExchange()).toEqual([{ state: "available", n: ROWS }]);

  // Simulates that D1 has lost the exchange's decisions.
  await db.update(leads).set({ listingState: "closed", exchangeVersion: 0, status: "expired" });
  const written = await runWithFaults(RECONCILE, MIDDLE);
  expect(written).toMatchObject({ state: "done", result: { differences: ROWS, fixed: ROWS } });
  expect(await ofState("listed")).toBe(ROWS);

  const person = { phone: null, email: EMAIL, username: null };
  const erased = await runWithFaults({ kind: "erase_person", input: person }, MIDDLE);
  expect(erased).toMatchObject({ state: "done" });
  const left = await db.select({ n: count() }).from(leads).where(eq(leads.customerEmail, EMAIL));
  expect(left).toEqual([{ n: 0 }]);
  expect(await inExchange()).toEqual([{ state: "withdrawn", n: ROWS }]);
});
