import { expect, test } from "vitest";

import type { Bindings } from "../../platform/env.ts";
import { operatorJobs, pausedRegions } from "../../tables.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { runSweeps } from "../../../testing/drivers.ts";
import { leadRow } from "../../../testing/facts.ts";
import { runJob, jobRow, storeJob } from "../../../testing/operator.ts";
import { insertPendingLead } from "../../../testing/world.ts";

test("an operator pauses and resumes a region: requests wait, then all are listed", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000);
  const { region } = lead;
  expect(await runJob({ kind: "region", input: { region, pause: "a flood" } })).toMatchObject({
    state: "done",
  });
  expect(await db.select().from(pausedRegions)).toMatchObject([{ region, reason: "a flood" }]);
  const early = await insertPendingLead(db, {}, Date.now() - 60_000);
  await runSweeps();
  expect((await leadRow(early.id)).listingState).toBe("pending");
  await runJob({ kind: "region", input: { region, pause: null } });
  await runSweeps();
  for (const { id } of [lead, early]) expect((await leadRow(id)).listingState).toBe("listed");
});

test("a region already paused or open is not counted as paused or opened", async () => {
  const pause = { kind: "region", input: { region: "macarthur", pause: "a flood" } } as const;
  const resume = { kind: "region", input: { region: "macarthur", pause: null } } as const;
  const results: unknown[] = [];
  for (const job of [pause, pause, resume, resume]) results.push((await runJob(job)).result);
  expect(results).toEqual([{ paused: 1 }, { already_paused: 1 }, { resumed: 1 }, { already_open: 1 }]);
});

test("an unknown job, or one without a known region, is rejected and does nothing", async () => {
  for (const job of [
    { kind: "drop_everything", input: {} },
    { kind: "region", input: { region: "atlantis", pause: "sunk" } },
    { kind: "reconcile", input: { since: "yesterday", isFix: true, region: null } },
  ]) {
    const id = await storeJob(job as Parameters<typeof storeJob>[0]);
    await runSweeps();
    expect(await jobRow(id), job.kind).toMatchObject({
      state: "failed",
      result: { unusable_input: 1 },
      input: null,
    });
  }
  expect(await db.select().from(pausedRegions)).toEqual([]);
});

test("a late run leases its job for the usual time, so no other run takes it", async () => {
  const id = await storeJob({ kind: "reconcile", input: { since: 0, isFix: false, region: null } });
  const unreachable = {
    idFromName: () => "",
    get: () => ({ outboxSince: () => Promise.reject(new Error("Away")) }),
  };
  const env = { ...testEnv, LEAD_EXCHANGE: unreachable as unknown as Bindings["LEAD_EXCHANGE"] };
  const started = Date.now();
  await runSweeps(started - 10 * 60_000, env);
  const row = await jobRow(id);
  expect(row).toMatchObject({ state: "waiting", attempts: 1 });
  expect(row.leasedUntil).toBeGreaterThan(started + 50_000);
});

const RECONCILE = { kind: "reconcile", input: { since: 0, isFix: false, region: null } } as const;

test("a failed job is retried later, resumes where it stopped, and is finally marked failed", async () => {
  const id = await storeJob(RECONCILE);
  const unreachable = {
    ...testEnv,
    LEAD_EXCHANGE: { get: () => ({}), idFromName: () => ({}) } as unknown as Bindings["LEAD_EXCHANGE"],
  };
  const now = Date.now();
  await runSweeps(now, unreachable);
  expect(await jobRow(id)).toMatchObject({ state: "waiting", attempts: 1, result: { errors: 1 } });
  // The job backs off, so a sweep one second later does not retry it.
  await runSweeps(now + 1_000);
  expect(await jobRow(id)).toMatchObject({ state: "waiting", attempts: 1 });
  for (let hours = 1; hours < 8; hours++) await runSweeps(now + hours * 2 * 60 * 60_000, unreachable);
  expect(await jobRow(id)).toMatchObject({ state: "failed", input: null });
});

const order = (pause: string | null) => ({ kind: "region", input: { region: "macarthur", pause } }) as const;

test("a region's later job wins over an earlier one that waits for a retry", async () => {
  const now = Date.now();
  await runJob(order("a flood"), now);
  const unreachable = {
    ...testEnv,
    LEAD_EXCHANGE: { get: () => ({}), idFromName: () => ({}) } as unknown as Bindings["LEAD_EXCHANGE"],
  };
  const resume = await storeJob(order(null));
  await runSweeps(now, unreachable);
  expect(await jobRow(resume)).toMatchObject({ state: "waiting" });
  await runJob(order("a storm"), now + 1_000);
  await runSweeps(now + 2 * 60 * 60_000);
  expect(await jobRow(resume)).toMatchObject({ state: "done", result: { superseded: 1 } });
  expect(await db.select().from(pausedRegions)).toMatchObject([{ region: "macarthur" }]);
  await runJob(order(null), now + 3 * 60 * 60_000);
});

test("of two concurrent crons, one runs the job", async () => {
  await db.delete(operatorJobs);
  const id = await storeJob(RECONCILE);
  const now = Date.now();
  await Promise.all([runSweeps(now), runSweeps(now)]);
  const row = await jobRow(id);
  expect(row).toMatchObject({ state: "done" });
  expect(row.result).toEqual((await runJob(RECONCILE)).result);
});
