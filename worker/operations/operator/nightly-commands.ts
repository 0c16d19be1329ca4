import { inArray } from "drizzle-orm";

import type { OperatorJob } from "../../../contract/operator.ts";
import { sydneyDay, formatSydneyTime } from "../../../contract/sydney-time.ts";
import { operatorJobs } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { RECONCILED_MS } from "../reconciliation/rules.ts";

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
