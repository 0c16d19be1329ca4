/** Notices exchanges that have lost their leads, every minute. A reconciliation of the region then lists them again. */

import { asc, desc, type SQL, sql } from "drizzle-orm";

import { MINUTE_MS } from "../../../contract/durations.ts";
import type { OperatorJob } from "../../../contract/operator.ts";
import { type Region, REGION_SLUGS } from "../../../contract/regions.ts";
import { exchangeOf } from "../../exchange/exchange-calls.ts";
import { raiseAttention } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { operatorJobs } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { log } from "../../platform/log.ts";
import { withTimeout } from "../../platform/timeout.ts";
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

/** Leads that D1 offers in a region, for a check whether the exchange knows them. */
export type OfferSample = { region: Region; leadIds: string[] };

/** SQL: the first lead that D1 offers in a region, in this order. */
const first = (order: SQL) => sql`(SELECT ${leads.id} FROM ${leads}
  WHERE ${leads.status} = 'available' AND ${leads.listingState} = 'listed'
    AND ${leads.region} = regions.value
  ORDER BY ${order} LIMIT 1)`;

/**
 * Returns the oldest and the newest lead that D1 offers in each region. The oldest alone may have been listed after the
 * exchange lost its storage.
 */
export async function sampleOffers(db: Db): Promise<OfferSample[]> {
  const rows = await db.all<{ region: Region; oldest: string | null; newest: string }>(sql`
    SELECT regions.value AS region, ${first(asc(leads.createdAt))} AS oldest, ${first(desc(leads.createdAt))} AS newest
    FROM json_each(${JSON.stringify(REGION_SLUGS)}) AS regions`);
  return rows.flatMap(({ region, oldest, newest }) =>
    oldest === null ? [] : [{ region, leadIds: [...new Set([oldest, newest])] }],
  );
}

/** Returns whether an exchange does not know a lead that D1 offers. Does not retry. */
export async function hasLostLead(context: Context, { region, leadIds }: OfferSample): Promise<boolean> {
  return (await withTimeout(exchangeOf(context, region)!.recordsOf(leadIds))).length < leadIds.length;
}
