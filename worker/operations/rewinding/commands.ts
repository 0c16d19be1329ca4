/**
 * Rewinds an exchange's storage to an earlier moment, through the platform's history, then reconciles it with D1.
 * Takes leads that D1 has closed off the market. Relists leads that the exchange has lost. Writes the exchange's
 * decisions to D1.
 */
import { and, eq, gt } from "drizzle-orm";
import * as z from "zod/mini";

import { MINUTE_MS } from "../../../contract/durations.ts";
import type { OperatorJob } from "../../../contract/operator.ts";
import type { Region } from "../../../contract/regions.ts";
import { auditEntry, SYSTEM_ACTOR } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { isOpen, type ListingRecord, openOffer } from "../../exchange/listing.ts";
import { pauseRegion } from "../../exchange/pause-commands.ts";
import { listPaused } from "../../exchange/queries.ts";
import { REPROJECTION } from "../reprojecting/reproject-commands.ts";
import { buildLeg, walkPart } from "../region-walk/commands.ts";
import { findRecordedLeads } from "../region-walk/queries.ts";
import { RECORDS } from "../region-walk/sources.ts";
import { isRetryable } from "../../exchange/exchange-calls.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { log } from "../../platform/log.ts";
import type { Counts, JobStep } from "../operator/rules.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { RELISTING } from "../relisting/commands.ts";
import { fateOf } from "./rules.ts";

type Input = Extract<OperatorJob, { kind: "rewind_exchange" }>["input"];
type Job = { id: string; createdAt: number; progress: unknown; result: unknown };

/** How long a rewind waits for D1 to accept the exchange's last decisions. A rewind loses those that D1 lacks. */
const MAX_OUTBOX_WAIT_MS = 10 * MINUTE_MS;

/** Attempts to restart an instance before the step fails. */
const RESTARTS = 5;

const progressSchema = z.discriminatedUnion("step", [
  z.object({ step: z.literal("rewind"), bookmark: z.string() }),
  z.object({ step: z.literal("restart"), instance: z.string() }),
  z.object({ step: z.literal("walk"), at: z.unknown() }),
]);
type Progress = z.infer<typeof progressSchema>;

const continueAt = (progress: Progress, counts: Counts = {}, pause = false): JobStep => ({
  state: "waiting",
  counts,
  progress,
  pause,
});

const reasonOf = (job: Job) => `We took its exchange back to an earlier moment (${job.id})`;

/** Finds the bookmark to rewind to, before any change, and pauses the region. */
async function prepare(context: Context, { region, to }: Input, job: Job, now: number): Promise<JobStep> {
  const exchange = exchangeOf(context, region)!;
  // Check even if the operator gave a bookmark: without a history, nothing may be changed.
  const known = await withTimeout(exchange.bookmarkAt(typeof to === "number" ? to : now));
  if (known === null) return { state: "failed", counts: { no_history_here: 1 } };
  const isPaused = await pauseRegion(context, region, {
    reason: reasonOf(job),
    by: null,
    now,
    askedAt: job.createdAt,
  });
  if (!isPaused) return { state: "failed", counts: { resumed_meanwhile: 1 } };
  return continueAt({ step: "rewind", bookmark: typeof to === "number" ? known : to });
}

/** Rewinds the storage after the last hold has ended and D1 has the last decisions, and records the bookmark that undoes the rewind. */
async function rewind(
  context: Context,
  { region, to }: Input,
  bookmark: string,
  now: number,
): Promise<JobStep> {
  const exchange = exchangeOf(context, region)!;
  const holds = await withTimeout(exchange.countHolds());
  if (holds > 0) return continueAt({ step: "rewind", bookmark }, { minutes_waited_for_payers: 1 }, true);
  const { outboxSince } = await withTimeout(exchange.pulse());
  if (outboxSince !== null && now - outboxSince < MAX_OUTBOX_WAIT_MS)
    return continueAt({ step: "rewind", bookmark }, { minutes_waited_for_outbox: 1 }, true);
  const { undo, instance } = await withTimeout(exchange.rewind(bookmark));
  const db = context.db;
  await auditEntry(db, SYSTEM_ACTOR, {
    at: now,
    action: "region.rewind",
    subjectType: "region",
    subjectId: region,
    after: { to, bookmark, undo },
  });
  log("warn", "exchange_rewound", { region, bookmark, undo });
  return continueAt({ step: "restart", instance }, { rewound: 1 });
}

/** Ends the instance that still has the old storage in memory. @throws Error if the instance does not end */
async function restart(context: Context, region: Region, instance: string): Promise<void> {
  for (let tries = 0; tries < RESTARTS; tries++) {
    try {
      // Get a new stub for each attempt: a stub is useless after its object has ended.
      return await withTimeout(exchangeOf(context, region)!.restart(instance));
    } catch (error) {
      if (!isRetryable(error)) throw error;
      log("info", "exchange_restarting", { region, error });
    }
  }
  throw new Error(`The exchange of ${region} did not restart`);
}

async function startNewEpoch(context: Context, region: Region, instance: string, job: Job): Promise<JobStep> {
  await restart(context, region, instance);
  const paused = (await listPaused(context.db)).find((row) => row.region === region);
  const request = { reason: paused?.reason ?? reasonOf(job), at: paused?.since ?? job.createdAt };
  await withTimeout(exchangeOf(context, region)!.beginAnew(request));
  return continueAt({ step: "walk", at: null });
}

/** Sets a lead back to pending with D1's terms. */
async function makePending(db: Db, { id, generation }: LeadRow): Promise<void> {
  await db
    .update(leads)
    .set({ listingState: "pending", exchangeVersion: 0 })
    .where(and(eq(leads.id, id), eq(leads.generation, generation), eq(leads.listingState, "listed")));
}

/**
 * Lets D1 accept the exchange's next decisions: a rewound exchange numbers them from the restored version on. If it has
 * already closed the lead since the restore, D1 accepts that decision again.
 */
async function acceptVersionsAfter(db: Db, record: ListingRecord): Promise<void> {
  const { leadId, generation, state } = record;
  const version = isOpen(state) ? record.version : record.version - 1;
  await db
    .update(leads)
    .set({ exchangeVersion: version })
    .where(
      and(
        eq(leads.id, leadId),
        eq(leads.generation, generation),
        eq(leads.status, "available"),
        gt(leads.exchangeVersion, version),
      ),
    );
}

/** Updates one record to match D1's lead. @returns the name to count the result under */
async function follow(
  context: Context,
  region: Region,
  record: ListingRecord,
  lead: LeadRow,
): Promise<string> {
  const exchange = exchangeOf(context, region)!;
  const { leadId, generation, priceCents, expiresAt } = record;
  const terms = { leadId, generation, priceCents, expiresAt };
  const fate = fateOf(region, record, lead);
  if (fate === "keep") {
    // The rewind restored an offer to one business, so other providers must not see the lead.
    if (openOffer(record)) await makePending(context.db, lead);
    else await acceptVersionsAfter(context.db, record);
    return "left_as_they_are";
  }
  // The rewind restored the old hold, but its payment and sale have ended.
  await exchange.decide({ type: "free", leadId });
  if (fate === "forget") {
    await exchange.erase(terms);
    await exchange.forget(leadId);
    return "erased_again";
  }
  // A request by lead ID reaches this exchange first, so this exchange must know the lead's new region.
  const toRegion = lead.region === region ? null : lead.region;
  await exchange.decide({ type: "withdraw", ...terms, byUserId: null, toRegion });
  if (fate === "close") return "taken_off_again";
  await makePending(context.db, lead);
  return "put_on_again";
}

/** The walk after a rewind. It visits only that region, because the other exchanges lost no data. */
const FOLLOW_UP_LEGS = {
  follow: buildLeg(RECORDS, async ({ env, db }, records, region) => {
    const known = await findRecordedLeads(db, records);
    const counts: Counts = { looked_at: records.length };
    for (const record of records) {
      const lead = known.get(record.leadId);
      if (!lead) continue;
      const done = await follow(env, region, record, lead);
      counts[done] = (counts[done] ?? 0) + 1;
    }
    return counts;
  }),
  relist: RELISTING.offers,
  reproject: REPROJECTION.records,
};

/**
 * Runs one part of a rewind. Each part may be repeated. The first part pauses the region. It stays paused until an
 * operator compares and resumes it.
 * @throws an exchange's or D1's error; the same part is retried
 */
export async function rewindPart(context: Context, input: Input, job: Job, now: number): Promise<JobStep> {
  if (job.progress === null) return prepare(context, input, job, now);
  const progress = progressSchema.parse(job.progress);
  const { region } = input;
  switch (progress.step) {
    case "rewind":
      return rewind(context, input, progress.bookmark, now);
    case "restart":
      return startNewEpoch(context, region, progress.instance, job);
    case "walk": {
      const step = await walkPart(context, FOLLOW_UP_LEGS, { ...job, progress: progress.at }, now, {
        only: region,
      });
      return step.state === "done" ? step : continueAt({ step: "walk", at: step.progress }, step.counts);
    }
  }
}
