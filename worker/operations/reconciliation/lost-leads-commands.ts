/** Notices exchanges that have lost their leads, every minute. A reconciliation of the region then lists them again. */
import type { OperatorJob } from "../../../contract/operator.ts";
import { MINUTE_MS } from "../../../contract/durations.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import type { Context } from "../../platform/context.ts";
import { operatorJobs } from "../../platform/db/schema.ts";
import { log } from "../../platform/log.ts";
import { hasLostLead, sampleOffers } from "./lost-leads-queries.ts";
import { RECONCILED_MS } from "./rules.ts";

/** Minimum time between two reconciliations of one region after its exchange lost its leads. */
const RETRY_AFTER_MS = 10 * MINUTE_MS;

/**
 * Looks for exchanges that have lost leads, by the oldest and the newest lead that D1 offers in each region. Alerts the
 * admins and enqueues a reconciliation of each such region.
 * @returns how many exchanges have lost leads, and how many did not respond
 */
export async function sweepLostLeads(
  context: Context,
  now: number,
): Promise<{ forgotten: number; failed: number }> {
  const { db } = context;
  const offered = await sampleOffers(db);
  const results = await Promise.allSettled(offered.map((sample) => hasLostLead(context, sample)));
  const counts = { forgotten: 0, failed: 0 };
  for (const [i, result] of results.entries()) {
    if (result.status === "rejected") counts.failed += 1;
    if (result.status === "rejected" || !result.value) continue;
    counts.forgotten += 1;
    const { region } = offered[i]!;
    log("error", "exchange_forgot", { region });
    // First the alert: after the repair, no sweep would notice the loss again.
    await raiseAttention(
      db,
      "exchange_forgot",
      region,
      "This region's exchange has lost its storage, or part of it. We're listing its leads again from D1.",
      now,
    );
    const since = Math.max(0, now - RECONCILED_MS);
    const job: OperatorJob = { kind: "reconcile", input: { since, isFix: true, region } };
    const id = `job_lost_leads_${region}_${Math.floor(now / RETRY_AFTER_MS)}`;
    await db
      .insert(operatorJobs)
      .values({ ...job, id, createdAt: now, updatedAt: now })
      .onConflictDoNothing();
  }
  return counts;
}
