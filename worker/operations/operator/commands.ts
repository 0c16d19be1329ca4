import { and, asc, eq, inArray, lte, ne, sql } from "drizzle-orm";

import { type OperatorJob, operatorJobSchema } from "../../../contract/operator.ts";
import { formatSydneyTime, sydneyDay } from "../../../contract/sydney-time.ts";
import { pauseRegion, resumeRegion } from "../../exchange/commands.ts";
import { isRegionPaused } from "../../exchange/queries.ts";
import { raiseAttention } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { operatorJobs } from "../tables.ts";
import { log } from "../../platform/log.ts";
import { erasePerson } from "../erasure/commands.ts";
import { previewErasure } from "../erasure/queries.ts";
import { closedUserId, personOf } from "../erasure/rules.ts";
import { computeFigure } from "../public-figures/store.ts";
import { reconciliationLegs } from "../reconciliation/commands.ts";
import { RECONCILED_MS, SETTLING_MS } from "../reconciliation/rules.ts";
import { walkPart } from "../reconciliation/walk-commands.ts";
import { addCounts, type Counts, type JobStep, leaseMs, MAX_ATTEMPTS, stepOf } from "./rules.ts";

type JobRow = typeof operatorJobs.$inferSelect;

/** Time that one cron run spends on jobs. A longer job continues in the next run, a minute later. */
const BUDGET_MS = 20_000;

/** Pauses or resumes a region. @returns the outcome, to count */
async function setRegion(
  context: Context,
  { region, pause }: Extract<OperatorJob, { kind: "region" }>["input"],
  now: number,
): Promise<string> {
  const wasPaused = await isRegionPaused(context.db, region);
  if (pause === null) {
    await resumeRegion(context, region, { by: null, now });
    return wasPaused ? "resumed" : "already_open";
  }
  await pauseRegion(context, region, { by: null, now, reason: pause });
  return wasPaused ? "already_paused" : "paused";
}

/** Ends earlier jobs for a region that still wait for a retry: they must not undo a later one. */
async function supersedeEarlier(
  db: Db,
  { id, createdAt }: JobRow,
  region: string,
  now: number,
): Promise<void> {
  await db
    .update(operatorJobs)
    .set({ state: "done", input: null, result: { superseded: 1 }, updatedAt: now })
    .where(
      and(
        eq(operatorJobs.state, "waiting"),
        lte(operatorJobs.createdAt, createdAt),
        eq(operatorJobs.kind, "region"),
        sql`${operatorJobs.input} ->> '$.region' = ${region}`,
        ne(operatorJobs.id, id),
      ),
    );
}

/** Runs a bounded part of a job. @throws the error that stopped the part; the same part is retried later */
async function runStep(context: Context, job: OperatorJob, row: JobRow, now: number): Promise<JobStep> {
  switch (job.kind) {
    case "erase_person": {
      const person = personOf(job.input);
      if (!person) return { state: "failed", counts: { unusable_input: 1 } };
      const { more, waiting, ...counts } = await erasePerson(context, person, row.id, now);
      // A buyer is paying for one of these leads. Wait until their five-minute hold ends.
      return more
        ? { state: "waiting", counts, progress: null, pause: waiting > 0 }
        : { state: "done", counts };
    }
    case "preview_erasure": {
      const person = personOf(job.input);
      if (!person) return { state: "failed", counts: { unusable_input: 1 } };
      return { state: "done", counts: await previewErasure(context.db, person) };
    }
    case "region":
      await supersedeEarlier(context.db, row, job.input.region, now);
      return {
        state: "done",
        counts: { [await setRegion(context, job.input, Math.max(now, Date.now()))]: 1 },
      };
    case "reconcile":
      return walkPart(context, reconciliationLegs(job.input.isFix, job.input.region), row, now, {
        since: job.input.since,
        until: row.createdAt - SETTLING_MS,
      });
    case "public_figures":
      return stepOf(await computeFigure(context, row.progress, now));
  }
}

/**
 * Returns when a job's lease ends. `now` is the minute the cron was scheduled for. A late run uses the clock instead,
 * or its lease would expire before its work ends.
 */
function leaseEnd(now: number, failures: number): number {
  return Math.max(now, Date.now()) + leaseMs(failures);
}

/** Leases the oldest job that has no lease. If several workers try concurrently, only one gets the job. */
async function claimJob(db: Db, now: number): Promise<JobRow | null> {
  const next = db
    .select({ id: operatorJobs.id })
    .from(operatorJobs)
    .where(and(eq(operatorJobs.state, "waiting"), lte(operatorJobs.leasedUntil, now)))
    .orderBy(asc(operatorJobs.createdAt))
    .limit(1);
  const [row] = await db
    .update(operatorJobs)
    .set({ leasedUntil: leaseEnd(now, 0), attempts: sql`${operatorJobs.attempts} + 1`, updatedAt: now })
    .where(
      and(
        inArray(operatorJobs.id, next),
        eq(operatorJobs.state, "waiting"),
        lte(operatorJobs.leasedUntil, now),
      ),
    )
    .returning();
  return row ?? null;
}

async function endStep(db: Db, row: JobRow, step: JobStep, now: number): Promise<void> {
  const result = addCounts(row.result as Counts | null, step.counts);
  const isOver = step.state !== "waiting";
  await db
    .update(operatorJobs)
    .set({
      state: step.state,
      result,
      // A finished job stores no personal data.
      ...(isOver && { input: null }),
      progress: step.state === "waiting" ? step.progress : null,
      leasedUntil: step.state === "waiting" && step.pause ? leaseEnd(now, 0) : 0,
      attempts: 0,
      updatedAt: now,
    })
    .where(eq(operatorJobs.id, row.id));
  if (isOver) log("info", "operator_job", { jobId: row.id, kind: row.kind, state: step.state, ...result });
}

/**
 * Schedules a retry, or marks the job failed after the last attempt and counts the error for the operator. No operator
 * watches the erasure of a closed account, so its failure raises an alert.
 */
async function endFailure(db: Db, row: JobRow, now: number): Promise<void> {
  const isOver = row.attempts >= MAX_ATTEMPTS;
  const userId = closedUserId(row.id);
  if (isOver && userId) {
    const detail =
      "A user closed their account, but their data hasn't been deleted. An operator needs to erase it.";
    await raiseAttention(db, "closure_failed", userId, detail, now);
  }
  await db
    .update(operatorJobs)
    .set({
      ...(isOver && { state: "failed", input: null }),
      result: addCounts(row.result as Counts | null, { errors: 1 }),
      leasedUntil: leaseEnd(now, row.attempts),
      updatedAt: now,
    })
    .where(eq(operatorJobs.id, row.id));
}

async function runJob(context: Context, row: JobRow, now: number): Promise<boolean> {
  const db = context.db;
  const job = operatorJobSchema.safeParse({ kind: row.kind, input: row.input });
  try {
    const step: JobStep = job.success
      ? await runStep(context, job.data, row, now)
      : { state: "failed", counts: { unusable_input: 1 } };
    await endStep(db, row, step, now);
    return true;
  } catch (error) {
    log("error", "operator_job_failed", { jobId: row.id, kind: row.kind, error });
    await endFailure(db, row, now);
    return false;
  }
}

/**
 * Runs the operators' jobs, oldest first, for a bounded time.
 * @returns how many parts succeeded, and how many failed and will be retried
 */
export async function runOperatorJobs(
  context: Context,
  now: number,
): Promise<{ parts: number; failed: number }> {
  const db = context.db;
  const started = Date.now();
  const done = { parts: 0, failed: 0 };
  while (Date.now() - started < BUDGET_MS) {
    const row = await claimJob(db, now);
    if (!row) break;
    if (await runJob(context, row, now)) done.parts += 1;
    else done.failed += 1;
  }
  return done;
}

function nightlyJobs(now: number): OperatorJob[] {
  return [
    { kind: "reconcile", input: { since: Math.max(0, now - RECONCILED_MS), isFix: true, region: null } },
    { kind: "public_figures", input: {} },
  ];
}

/**
 * Enqueues the nightly jobs once per Sydney day, after the configured time.
 * @returns how many jobs were enqueued
 */
export async function scheduleNightly(context: Context, now: number): Promise<{ scheduled: number }> {
  const { nightlyAt } = context.settings;
  if (!nightlyAt || formatSydneyTime(now).slice(-nightlyAt.length) < nightlyAt) return { scheduled: 0 };
  const jobs = nightlyJobs(now).map((job) => ({ ...job, id: `job_${job.kind}_${sydneyDay(now)}` }));
  const db = context.db;
  const ids = jobs.map(({ id }) => id);
  const known = await db
    .select({ id: operatorJobs.id })
    .from(operatorJobs)
    .where(inArray(operatorJobs.id, ids));
  if (known.length === jobs.length) return { scheduled: 0 };
  const written = await db
    .insert(operatorJobs)
    .values(jobs.map((job) => ({ ...job, createdAt: now, updatedAt: now })))
    .onConflictDoNothing()
    .returning({ id: operatorJobs.id });
  return { scheduled: written.length };
}
